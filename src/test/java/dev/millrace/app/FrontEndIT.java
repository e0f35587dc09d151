package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.link.LinkRights;
import dev.millrace.link.LinkTokens;
import dev.millrace.link.ProxyLink;
import dev.millrace.proxy.Arrival;
import dev.millrace.proxy.FrontEndConfig;
import dev.millrace.proxy.FrontEnds;
import dev.millrace.testing.Await;
import dev.millrace.testing.Deployment;
import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RecordedRequest;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.TestSettings;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** nginx before the proxy, configured as docs/security.md shows. */
@Timeout(120)
class FrontEndIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String VIEWER = "127.0.0.5";
  private static final String SOMEBODY_ELSE = "127.0.0.6";

  @TempDir private static Path directory;
  private static Process nginx;
  private static int proxyPort;
  private static int mirrorPort;

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(settings -> settings.password("pw"));

  @AutoClose private static final OriginServer FILM = OriginServer.start(ToyOrigins.file(100));

  /** Stands where the proxy does, and shows what arrives there. */
  @AutoClose private static final OriginServer MIRROR = OriginServer.start(ToyOrigins.file(100));

  @BeforeAll
  static void startNginx() throws Exception {
    proxyPort = freePort();
    mirrorPort = freePort();
    ExternalProgram.required("openssl")
        .run(
            SOON,
            ("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
                    + (" -subj /CN=localhost -keyout " + directory.resolve("key.pem"))
                    + (" -out " + directory.resolve("cert.pem")))
                .split(" "));
    String configuration =
        """
        user root; daemon off; pid nginx.pid; error_log error.log; worker_processes 1;
        events { worker_connections 256; }
        http {
          client_body_temp_path b; proxy_temp_path p; fastcgi_temp_path f; scgi_temp_path s; uwsgi_temp_path u;
          %s
          %s
        }
        """
            .formatted(server(proxyPort, PROXY.port()), server(mirrorPort, MIRROR.port()));
    Path file = Files.writeString(directory.resolve("nginx.conf"), configuration);
    Path log = directory.resolve("nginx.log");
    nginx =
        ExternalProgram.required("nginx")
            .start(log, log, "-p", directory.toString(), "-c", file.toString());
    Await.until("nginx listens", SOON, () -> isListening(proxyPort) && isListening(mirrorPort));
  }

  @AfterAll
  static void stopNginx() {
    if (nginx != null) {
      ExternalProgram.end(nginx);
    }
  }

  /** What the guide shows, but for places. */
  private static String server(int port, int behind) throws IOException {
    Matcher snippet =
        Pattern.compile("(?s)```nginx\\n(.*?)```")
            .matcher(Files.readString(Path.of("docs", "security.md")));
    assertThat(snippet.find()).isTrue();
    return snippet
        .group(1)
        .replace("listen 443 ssl", "listen 127.0.0.1:" + port + " ssl")
        .replace("127.0.0.1:8888", "127.0.0.1:" + behind);
  }

  private static String link(String client) {
    ProxyLink link =
        new ProxyLink(
            Map.of("d", FILM.url("/v.mp4")),
            new LinkRights(Optional.empty(), Optional.of(client), Optional.of("stream")));
    LinkTokens tokens =
        new LinkTokens(
            "pw",
            TestSettings.LINKS.secrets(),
            TestSettings.LINKS.format(),
            TestSettings.LINKS.acceptsCompatible());
    return "/_token_" + tokens.seal(link) + "/proxy/stream";
  }

  private static String status(int port, String client, String path, String... fields)
      throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of("-k", "-s", "-o", "/dev/null", "-w", "%{http_code}", "--interface", client));
    for (String field : fields) {
      arguments.addAll(List.of("-H", field));
    }
    arguments.add("https://127.0.0.1:" + port + path);
    return ExternalProgram.required("curl").run(SOON, arguments.toArray(String[]::new)).output();
  }

  @Test
  void boundLinksWorkForTheirClient_andForNobodyElse() throws IOException {
    String bound = "/millrace" + link(VIEWER);

    assertThat(status(proxyPort, VIEWER, bound)).isEqualTo("200");
    assertThat(status(proxyPort, SOMEBODY_ELSE, bound)).isEqualTo("401");
    assertThat(status(proxyPort, SOMEBODY_ELSE, bound, "X-Forwarded-For: " + VIEWER))
        .isEqualTo("401");
    assertThat(status(proxyPort, SOMEBODY_ELSE, bound, "Forwarded: for=" + VIEWER))
        .isEqualTo("401");
    assertThat(status(proxyPort, SOMEBODY_ELSE, bound, "X-Real-IP: " + VIEWER)).isEqualTo("401");
  }

  @Test
  void boundLinksCannotBeForged_pastTheFrontEnd() throws IOException {
    assertThat(PROXY.fetch("GET", link("::ffff:127.0.0.1")).status()).isEqualTo(200);
    try (RunningMillrace untrusting =
        RunningMillrace.start(
            settings ->
                settings
                    .password("pw")
                    .frontEnd(new FrontEndConfig(List.of("192.0.2.1"), Optional.empty(), "")))) {
      assertThat(untrusting.fetch("GET", link(VIEWER), "X-Forwarded-For: " + VIEWER).status())
          .isEqualTo(401);
    }
  }

  @Test
  void routesAreFoundBehindThePrefix() throws IOException {
    assertThat(status(proxyPort, VIEWER, "/millrace/health")).isEqualTo("200");
    assertThat(status(proxyPort, VIEWER, "/millrace/")).isEqualTo("200");
    assertThat(status(proxyPort, VIEWER, "/millrace/metrics")).isEqualTo("403");
    assertThat(status(proxyPort, VIEWER, "/millrace/nope")).isEqualTo("404");
    assertThat(PROXY.fetch("GET", "/millrace/health").status()).isEqualTo(404);
  }

  @Test
  void publicAddressHasSchemeHostAndPrefixOfTheFrontEnd() throws IOException {
    String forged = "X-Forwarded-Prefix: /evil";
    assertThat(status(mirrorPort, VIEWER, "/millrace/a%2Fb;c//d", "X-Forwarded-Port: 1", forged))
        .isEqualTo("200");
    RecordedRequest request = MIRROR.requests().get(MIRROR.requests().size() - 1);
    Arrival arrival = arrivalOf(request);

    assertThat(request.target()).isEqualTo("/millrace/a%2Fb;c//d");
    assertThat(arrival.caller().address()).isEqualTo(VIEWER);
    assertThat(arrival.publicAddress().url("/x"))
        .isEqualTo("https://127.0.0.1:" + mirrorPort + "/millrace/x");
  }

  @Test
  void routesAreFoundWithAndWithoutTheRootPath() throws IOException {
    FrontEndConfig rooted = new FrontEndConfig(List.of("::1"), Optional.empty(), "/millrace");
    try (RunningMillrace millrace = RunningMillrace.start(s -> s.frontEnd(rooted))) {
      assertThat(millrace.fetch("GET", "/millrace/health").status()).isEqualTo(200);
      assertThat(millrace.fetch("GET", "/millrace/").text()).contains("<title>Millrace</title>");
      assertThat(millrace.fetch("GET", "/health").status()).isEqualTo(200);
      assertThat(millrace.fetch("GET", "/other/health").status()).isEqualTo(404);
    }
  }

  @Test
  void routesAreFoundWithAndWithoutThePathOfThePublicAddress() throws IOException {
    FrontEndConfig behind =
        new FrontEndConfig(List.of(), Optional.of("https://pub.example/films"), "");
    try (RunningMillrace proxy = RunningMillrace.start(s -> s.frontEnd(behind))) {
      assertThat(proxy.fetch("GET", "/films/health").status()).isEqualTo(200);
      assertThat(proxy.fetch("GET", "/health").status()).isEqualTo(200);
      assertThat(proxy.fetch("GET", "/other/health").status()).isEqualTo(404);
    }
  }

  @Test
  void saysOnceWhomItDoesNotBelieve() throws IOException {
    String warning = "of 127.0.0.1 are ignored: it is not in FORWARDED_ALLOW_IPS";
    try (Deployment untrusting =
        Deployment.distribution().set("FORWARDED_ALLOW_IPS=192.0.2.1").start()) {
      untrusting.fetch("GET", "/health");
      assertThat(untrusting.output()).doesNotContain(warning);
      untrusting.fetch("GET", "/health", "X-Forwarded-For: 203.0.113.7");
      untrusting.fetch("GET", "/health", "X-Forwarded-Proto: https");
      Await.until("logged", SOON, () -> untrusting.output().split(" GET health ").length == 4);
      assertThat(untrusting.output().split(warning)).hasSize(2);
      assertThat(untrusting.output()).doesNotContain("203.0.113.7");
    }
  }

  @Test
  void doesNotStart_whenAnEntryIsNoAddress() throws Exception {
    try (Deployment refused =
        Deployment.distribution().set("FORWARDED_ALLOW_IPS=127.0.0.1,nginx").start()) {
      assertThat(refused.exit()).isNotZero();
      assertThat(refused.output()).contains("FORWARDED_ALLOW_IPS", "\"nginx\"");
    }
  }

  private static Arrival arrivalOf(RecordedRequest request) {
    Map<String, List<String>> fields =
        request.fieldLines().stream()
            .collect(
                Collectors.groupingBy(
                    line -> line.substring(0, line.indexOf(':')),
                    Collectors.mapping(
                        line -> line.substring(line.indexOf(':') + 1).strip(),
                        Collectors.toList())));
    return FrontEnds.of(FrontEndConfig.defaults(), () -> 0)
        .arrival(
            new FrontEnds.Connection(
                "127.0.0.1", "http", request.field("Host").orElse(""), "127.0.0.1:1", ""),
            name -> fields.getOrDefault(name, List.of()));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static boolean isListening(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }
}
