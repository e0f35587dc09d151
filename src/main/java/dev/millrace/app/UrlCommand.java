package dev.millrace.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.config.MillraceConfig;
import dev.millrace.config.ServerConfig;
import dev.millrace.link.LinkBuilder;
import dev.millrace.link.LinkFormat;
import dev.millrace.link.LinkRequest;
import dev.millrace.proxy.Endpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ParameterException;

/** Makes a link as a server with these settings would. */
final class UrlCommand {
  private static final String PASSWORD = "api_password";

  private final MillraceConfig config;
  private final InputStream in;
  private final PrintStream err;

  /**
   * @param in what may name the destination
   * @param err what warnings go to
   */
  UrlCommand(MillraceConfig config, InputStream in, PrintStream err) {
    this.config = config;
    this.in = in;
    this.err = err;
  }

  /**
   * The link: sealed if there is a password, unless it is to be plain.
   *
   * @throws ParameterException if it cannot be made of what the command line says
   * @throws BadSecretException if there is no secret that the server would know too
   */
  String link(UrlArguments arguments) throws BadSecretException, IOException {
    LinkRequest request = arguments.request(proxyUrl(), destination(arguments));
    Optional<String> password = config.proxy().apiPassword().filter(text -> !text.isEmpty());
    try {
      String family = family(request, arguments);
      if (password.isPresent() && !arguments.isPlain()) {
        return sealed(request, password.get(), family);
      }
      return plain(request, password, arguments);
    } catch (IllegalArgumentException e) {
      throw arguments.wrong(inOptions(String.valueOf(e.getMessage())));
    }
  }

  /** Where this server is, as far as its settings say. */
  private String proxyUrl() {
    ServerConfig server = config.server();
    String scheme = server.tls().isPresent() ? "https://" : "http://";
    return config
        .frontEnd()
        .publicUrl()
        .orElseGet(() -> scheme + ServerConfig.LOOPBACK + ":" + server.port());
  }

  private String destination(UrlArguments arguments) throws IOException {
    String destination = arguments.destination();
    if (destination.equals(UrlArguments.STANDARD_INPUT)) {
      String line = new BufferedReader(new InputStreamReader(in, UTF_8)).readLine();
      destination = Optional.ofNullable(line).orElse("").strip();
    }
    if (!destination.regionMatches(true, 0, "http://", 0, 7)
        && !destination.regionMatches(true, 0, "https://", 0, 8)) {
      throw arguments.wrong("DESTINATION: not an address (expected: http://… or https://…)");
    }
    return destination;
  }

  private static String family(LinkRequest request, UrlArguments arguments) {
    return Endpoint.match(LinkBuilder.routePath(request))
        .map(Endpoint.Match::endpoint)
        .filter(endpoint -> !endpoint.isForOperators())
        .map(Endpoint::label)
        .orElseThrow(
            () ->
                arguments.wrong(
                    "--endpoint: no route for links (expected: such as /proxy/stream)"));
  }

  private String sealed(LinkRequest request, String password, String family)
      throws BadSecretException {
    LinkSecrets secrets = LinkSecrets.of(config.link());
    boolean needsSecret = config.link().format() == LinkFormat.V2;
    if (needsSecret && secrets.problem().isPresent()) {
      throw new BadSecretException(secrets.problem().get());
    }
    return LinkBuilder.sealed(
        request,
        secrets.tokens(password, config.link()),
        Clock.systemUTC().instant(),
        Optional.of(family));
  }

  private String plain(LinkRequest request, Optional<String> password, UrlArguments arguments) {
    if (request.lifetime().isPresent() || request.clientAddress().isPresent()) {
      throw arguments.wrong(
          "--expires, --ip: only sealed links have limits (expected: API_PASSWORD, no --plain)");
    }
    if (password.isEmpty()) {
      return LinkBuilder.plain(request);
    }
    err.println("Warning: the link contains the password, readable for whoever sees it.");
    return LinkBuilder.plain(withPassword(request, password.get()));
  }

  private static LinkRequest withPassword(LinkRequest request, String password) {
    Map<String, String> parameters = new LinkedHashMap<>(request.queryParameters());
    parameters.put(PASSWORD, password);
    return new LinkRequest(
        request.proxyUrl(),
        request.endpoint(),
        request.destination(),
        parameters,
        request.requestHeaders(),
        request.responseHeaders(),
        request.inheritedHeaders(),
        request.droppedHeaders(),
        request.filename(),
        request.isDestinationBase64(),
        request.lifetime(),
        request.clientAddress());
  }

  /** Messages speak of fields; on a command line these are options. */
  private static String inOptions(String message) {
    return message
        .replaceFirst("^mediaflow_proxy_url:", "--proxy-url:")
        .replaceFirst("^endpoint:", "--endpoint:")
        .replaceFirst("^expiration:", "--expires:")
        .replace("query_params", "--param");
  }
}
