package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.upstream.Header;
import dev.millrace.upstream.Headers;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * Which fields an origin sees: those that parameters set, a default for what origins insist on, and
 * the range. Nothing of the client's own request, and nothing about the client.
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
    if (!given.has("authorization")) {
      parameters
          .destination()
          .userInfo()
          .ifPresent(user -> lines.add(new Header("Authorization", basic(user))));
    }
    lines.add(new Header("Accept-Encoding", "identity"));
    range.range().ifPresent(wanted -> lines.add(new Header("Range", wanted.fieldValue())));
    range.ifRange().ifPresent(condition -> lines.add(new Header("If-Range", condition)));
    return new Headers(lines);
  }

  /** RFC 7617 §2; a user without a password has an empty one. */
  private static String basic(String userInfo) {
    String pair = userInfo.indexOf(':') < 0 ? userInfo + ":" : userInfo;
    return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(UTF_8));
  }
}
