package dev.millrace.proxy;

import java.util.Set;

/**
 * Field names that parameters cannot set. They are left out without an error, because clients send
 * some of them as a matter of course; names in lower case.
 */
final class DeniedFields {
  /** Framing and connection (RFC 9112 §6, RFC 9110 §7.6.1): ours in both directions. */
  private static final Set<String> HOP_BY_HOP =
      Set.of(
          "connection",
          "content-length",
          "http2-settings",
          "keep-alive",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  /** {@code accept-encoding}: identity is ours; conditions: a 304 would have no body to relay. */
  private static final Set<String> REQUEST =
      Set.of("accept-encoding", "expect", "if-modified-since", "if-none-match");

  /** Who asks: what is forwarded comes from this server. */
  private static final Set<String> CLIENT_ADDRESS =
      Set.of(
          "client-ip",
          "do-connecting-ip",
          "fastly-client-ip",
          "fly-client-ip",
          "forwarded",
          "forwarded-for",
          "remote-addr",
          "true-client-ip",
          "via",
          "x-appengine-user-ip",
          "x-azure-clientip",
          "x-azure-socketip",
          "x-client-ip",
          "x-cluster-client-ip",
          "x-envoy-external-address",
          "x-forwarded",
          "x-original-forwarded-for",
          "x-originating-ip",
          "x-real-ip",
          "x-remote-addr",
          "x-remote-ip");

  /** What describes the bytes, or acts on the browser with the rights of our own origin. */
  private static final Set<String> RESPONSE =
      Set.of(
          "alt-svc",
          "authentication-info",
          "clear-site-data",
          "content-encoding",
          "content-location",
          "content-range",
          "content-security-policy",
          "content-security-policy-report-only",
          "date",
          "expect-ct",
          "link",
          "location",
          "nel",
          "origin-agent-cluster",
          "permissions-policy",
          "public-key-pins",
          "referrer-policy",
          "refresh",
          "report-to",
          "reporting-endpoints",
          "server",
          "service-worker-allowed",
          "set-cookie",
          "set-cookie2",
          "set-login",
          "sourcemap",
          "speculation-rules",
          "strict-transport-security",
          "www-authenticate",
          "x-content-type-options",
          "x-request-id",
          "x-sourcemap");

  /** Orders to the browser about our own origin; everything else of an answer is handed back. */
  private static final Set<String> ORDER_TO_BROWSER =
      Set.of(
          "accept-ch",
          "alt-svc",
          "clear-site-data",
          "content-security-policy",
          "content-security-policy-report-only",
          "critical-ch",
          "document-policy",
          "expect-ct",
          "nel",
          "origin-agent-cluster",
          "origin-trial",
          "permissions-policy",
          "public-key-pins",
          "referrer-policy",
          "refresh",
          "report-to",
          "reporting-endpoints",
          "service-worker-allowed",
          "set-login",
          "sourcemap",
          "speculation-rules",
          "strict-transport-security",
          "supports-loading-mode",
          "x-content-type-options",
          "x-request-id",
          "x-sourcemap");

  private DeniedFields() {}

  static boolean inRequest(String name, boolean allowHost) {
    return (name.equals("host") && !allowHost)
        || HOP_BY_HOP.contains(name)
        || name.startsWith("proxy-")
        || REQUEST.contains(name);
  }

  /** Where the request is the caller's own: conditions and codings too are theirs to choose. */
  static boolean inForwardedRequest(String name, boolean allowHost) {
    return (name.equals("host") && !allowHost)
        || HOP_BY_HOP.contains(name)
        || name.startsWith("proxy-")
        || name.equals("expect")
        || name.startsWith("x-forwarded-")
        || name.startsWith("cf-")
        || CLIENT_ADDRESS.contains(name);
  }

  /** Of an origin's answer that is handed back. */
  static boolean inForwardedResponse(String name) {
    return HOP_BY_HOP.contains(name)
        || name.startsWith("proxy-")
        || ORDER_TO_BROWSER.contains(name)
        || name.startsWith("access-control-")
        || name.startsWith("cross-origin-")
        || isOrderToFrontEnd(name);
  }

  /** Of one that a browser gets: it would keep and ask in the name of this server. */
  static boolean inForwardedToBrowser(String name) {
    return name.startsWith("set-cookie") || name.equals("www-authenticate");
  }

  static boolean inResponse(String name) {
    return HOP_BY_HOP.contains(name)
        || name.startsWith("proxy-")
        || RESPONSE.contains(name)
        || name.startsWith("access-control-")
        || name.startsWith("cross-origin-")
        || isOrderToFrontEnd(name);
  }

  /** Reverse proxies obey these: {@code X-Accel-Redirect} would open their internal files. */
  private static boolean isOrderToFrontEnd(String name) {
    return name.startsWith("x-accel-")
        || name.startsWith("x-sendfile")
        || name.startsWith("x-lighttpd-")
        || name.startsWith("x-reproxy-");
  }
}
