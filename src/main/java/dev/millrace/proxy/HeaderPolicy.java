package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.upstream.Header;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.Target;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * Which fields an origin sees: those that parameters set, a default for what origins insist on, and
 * the range; of the client's own request, only if that is forwarded, what describes its content and
 * what it can read. Never anything about the client.
 */
public final class HeaderPolicy {
  /** As browsers write them; some origins compare names with case. */
  private static final Map<String, String> USUAL_SPELLING =
      Map.ofEntries(
          Map.entry("accept", "Accept"),
          Map.entry("accept-language", "Accept-Language"),
          Map.entry("authorization", "Authorization"),
          Map.entry("cache-control", "Cache-Control"),
          Map.entry("cookie", "Cookie"),
          Map.entry("dnt", "DNT"),
          Map.entry("host", "Host"),
          Map.entry("icy-metadata", "Icy-MetaData"),
          Map.entry("origin", "Origin"),
          Map.entry("pragma", "Pragma"),
          Map.entry("referer", "Referer"),
          Map.entry("user-agent", "User-Agent"),
          Map.entry("x-forwarded-for", "X-Forwarded-For"),
          Map.entry("x-requested-with", "X-Requested-With"));

  /** What of a forwarded request's own fields is passed on. */
  public static final List<String> OF_CLIENT =
      List.of("Accept", "Accept-Language", "Content-Type", "Content-Encoding");

  private HeaderPolicy() {}

  /** The fields of a request for the destination; {@code Host} only if a parameter names it. */
  public static Headers toUpstream(
      ProxyParameters parameters, RangeRequest range, ProxyConfig config) {
    Headers given = parameters.requestHeaders();
    List<Header> lines = new ArrayList<>();
    if (!given.has("user-agent")) {
      lines.add(new Header("User-Agent", config.userAgent()));
    }
    if (!given.has("accept")) {
      lines.add(new Header("Accept", "*/*"));
    }
    for (Header line : given) {
      if (!line.is("range") && !line.is("if-range")) {
        lines.add(new Header(USUAL_SPELLING.getOrDefault(line.name(), line.name()), line.value()));
      }
    }
    addAuthorization(given, parameters.destination(), lines);
    lines.add(new Header("Accept-Encoding", "identity"));
    range.range().ifPresent(wanted -> lines.add(new Header("Range", wanted.fieldValue())));
    range.ifRange().ifPresent(condition -> lines.add(new Header("If-Range", condition)));
    return new Headers(lines);
  }

  /**
   * The fields of a request that is forwarded.
   *
   * @param client those of {@link #OF_CLIENT} that the client has sent; parameters come first
   */
  public static Headers forwarded(
      ForwardParameters parameters, Headers client, ProxyConfig config) {
    Headers given = parameters.requestHeaders();
    List<Header> lines = new ArrayList<>();
    for (Header line : defaults(config).with(client)) {
      if (!given.has(line.name())) {
        lines.add(line);
      }
    }
    for (Header line : given) {
      lines.add(new Header(USUAL_SPELLING.getOrDefault(line.name(), line.name()), line.value()));
    }
    addAuthorization(given, parameters.destination(), lines);
    return new Headers(lines);
  }

  private static Headers defaults(ProxyConfig config) {
    return Headers.of(
        "User-Agent", config.userAgent(), "Accept", "*/*", "Accept-Encoding", "identity");
  }

  private static void addAuthorization(Headers given, Target destination, List<Header> lines) {
    if (!given.has("authorization")) {
      destination.userInfo().ifPresent(user -> lines.add(new Header("Authorization", basic(user))));
    }
  }

  /** RFC 7617 §2; a user without a password has an empty one. */
  private static String basic(String userInfo) {
    String pair = userInfo.indexOf(':') < 0 ? userInfo + ":" : userInfo;
    return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(UTF_8));
  }
}
