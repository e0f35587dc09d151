package dev.millrace.link;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Makes addresses of links. All methods throw {@link IllegalArgumentException} for what no address
 * can be made of; its message names the field as {@code /generate_url} does, and shows no value.
 */
public final class LinkBuilder {
  /** Of a sealed link. */
  public static final Duration MAX_LIFETIME = Duration.ofDays(3_650);

  /** Scheme and authority, path. What cannot stand in an address is not in one. */
  private static final Pattern BASE =
      Pattern.compile(
          "(https?://[^/?#@\\s\\p{Cntrl}\"<>\\\\^`{|}]+)(/[^?#\\s\\p{Cntrl}\"<>\\\\^`{|}]*)?",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern ENDPOINT =
      Pattern.compile("/?(?!/)[^?#\\s\\p{Cntrl}\"<>\\\\^`{|}]*");

  /** Clients resolve them away (RFC 3986 §5.2.4), however they are written. */
  private static final Pattern DOT_SEGMENT =
      Pattern.compile("(?i)(.*/)?(\\.|%2e){1,2}(/.*)?", Pattern.DOTALL);

  private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:.*");
  private static final Set<String> NOT_OF_THE_LINK = Set.of("h_range", "h_if-range");

  private LinkBuilder() {}

  /**
   * Where a link leads.
   *
   * @param base scheme, authority and the path that the proxy has in front of its routes
   * @param route path of the route, without slash at the end; empty: the root
   */
  private record Address(String base, String route) {
    static Address of(LinkRequest request) {
      Matcher parts = BASE.matcher(request.proxyUrl());
      if (!parts.matches()) {
        throw new IllegalArgumentException(
            "mediaflow_proxy_url: not the address of a proxy (expected: http:// or https://, a"
                + " host, perhaps a path; no user, no query, no fragment)");
      }
      String origin = parts.group(1);
      String path = trimmed(Optional.ofNullable(parts.group(2)).orElse(""));
      Optional<String> endpoint = request.endpoint().filter(text -> !text.isEmpty());
      return endpoint
          .map(text -> new Address(origin + path, endpoint(text)))
          .orElseGet(() -> new Address(origin, path));
    }

    private static String endpoint(String text) {
      boolean isPath = ENDPOINT.matcher(text).matches() && !SCHEME.matcher(text).matches();
      if (!isPath || DOT_SEGMENT.matcher(text).matches()) {
        throw new IllegalArgumentException(
            "endpoint: not the path of a route (expected: such as /proxy/stream; parameters go to"
                + " query_params)");
      }
      return trimmed(text.startsWith("/") ? text : "/" + text);
    }

    private static String trimmed(String path) {
      int end = path.length();
      while (end > 0 && path.charAt(end - 1) == '/') {
        end--;
      }
      return path.substring(0, end);
    }
  }

  /**
   * The path of the route that the link leads to, as its server sees it: percent-encoded, with the
   * file name, without what the server has in front of its routes.
   */
  public static String routePath(LinkRequest request) {
    String path = Address.of(request).route + filename(request);
    return path.isEmpty() ? "/" : path;
  }

  /** Everything in the query, readable. */
  public static String plain(LinkRequest request) {
    Address address = Address.of(request);
    String query = FormEncoding.query(parameters(request));
    return address.base + address.route + filename(request) + (query.isEmpty() ? "" : "?" + query);
  }

  /**
   * Everything in a token in the path: in front of the route's path, behind what the proxy has in
   * front of all routes. If there is no endpoint, the whole path of the base is the route's.
   *
   * @param now what a lifetime is counted from
   * @param routeFamily the only routes that it opens
   */
  public static String sealed(
      LinkRequest request, LinkTokens tokens, Instant now, Optional<String> routeFamily) {
    Address address = Address.of(request);
    LinkRights rights = new LinkRights(expiry(request, now), request.clientAddress(), routeFamily);
    String token = tokens.seal(new ProxyLink(parameters(request), rights));
    return address.base + "/_token_" + token + address.route + filename(request);
  }

  private static Optional<Instant> expiry(LinkRequest request, Instant now) {
    if (request.lifetime().filter(lifetime -> lifetime.compareTo(MAX_LIFETIME) > 0).isPresent()) {
      throw new IllegalArgumentException(
          "expiration: too long (expected: at most " + MAX_LIFETIME.toDays() + " days)");
    }
    return request
        .lifetime()
        .map(lifetime -> Instant.ofEpochSecond(now.getEpochSecond()).plus(lifetime));
  }

  private static String filename(LinkRequest request) {
    return request
        .filename()
        .filter(name -> !name.isEmpty())
        .map(LinkBuilder::withoutDotSegments)
        .filter(name -> !name.isEmpty())
        .map(name -> "/" + FormEncoding.path(name))
        .orElse("");
  }

  /** A file name is often somebody else's, and must not lead to another route. */
  private static String withoutDotSegments(String name) {
    return Arrays.stream(name.replaceFirst("^/+", "").split("/", -1))
        .filter(segment -> !segment.equals(".") && !segment.equals(".."))
        .collect(Collectors.joining("/"));
  }

  /** A name that comes again keeps its place and takes the later value. */
  private static Map<String, String> parameters(LinkRequest request) {
    Map<String, String> parameters = new LinkedHashMap<>(request.queryParameters());
    request
        .destination()
        .map(d -> request.isDestinationBase64() ? base64(d) : d)
        .ifPresent(d -> parameters.put("d", d));
    put(parameters, "h_", request.requestHeaders());
    put(parameters, "r_", request.responseHeaders());
    put(parameters, "rp_", request.inheritedHeaders());
    if (!request.droppedHeaders().isEmpty()) {
      parameters.put("x_headers", String.join(",", request.droppedHeaders()));
    }
    return parameters;
  }

  private static String base64(String destination) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(destination.getBytes(UTF_8));
  }

  private static void put(
      Map<String, String> parameters, String prefix, Map<String, String> headers) {
    headers.forEach(
        (name, value) -> {
          boolean isPrefixed = name.regionMatches(true, 0, prefix, 0, prefix.length());
          String parameter = isPrefixed ? name : prefix + name;
          boolean isLeftOut =
              NOT_OF_THE_LINK.stream().anyMatch(parameter::equalsIgnoreCase) || value.isEmpty();
          if (!isLeftOut) {
            parameters.put(parameter, value);
          }
        });
  }
}
