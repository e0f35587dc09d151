package dev.millrace.proxy;

/**
 * The address of this server as a client sees it.
 *
 * @param origin scheme, host and port: {@code https://proxy.example} (RFC 6454 §6.2)
 * @param path in front of every route of ours; empty, or begins with a slash and does not end in
 *     one
 */
public record PublicAddress(String origin, String path) {
  /**
   * The whole address of a route.
   *
   * @param route begins with a slash
   */
  public String url(String route) {
    return origin + path + route;
  }
}
