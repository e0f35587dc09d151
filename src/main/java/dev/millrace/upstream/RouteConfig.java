package dev.millrace.upstream;

import java.util.List;
import java.util.Optional;

/**
 * How origins are reached: directly, or through a forward proxy (RFC 9110 §3.7).
 *
 * @param routes the one that fits a target best wins; of equals the first
 * @param proxyUrl the proxy of routes that name none; a secret, it may hold a password
 * @param allProxy whether targets without a route go through {@code proxyUrl}
 */
public record RouteConfig(List<Route> routes, Optional<String> proxyUrl, boolean allProxy) {
  /** Most routes there may be. */
  public static final int MAX_ROUTES = 1_000;

  /**
   * One rule.
   *
   * @param pattern {@code scheme://host[:port]}; the scheme {@code http}, {@code https} or {@code
   *     all}, the host a name, an address, {@code *.domain} (the domain itself too) or nothing
   * @param proxy whether these targets go through a proxy
   * @param proxyUrl which; none: that of {@link RouteConfig#proxyUrl}; a secret
   * @param verifyTls whether certificates of these targets are checked
   */
  public record Route(String pattern, boolean proxy, Optional<String> proxyUrl, boolean verifyTls) {
    /** What a route says that says nothing more. */
    public static Route through(String pattern) {
      return new Route(pattern, true, Optional.empty(), true);
    }

    @Override
    public String toString() {
      return "Route[" + pattern + ", proxy=" + proxy + ", verifyTls=" + verifyTls + "]";
    }
  }

  public RouteConfig {
    routes = List.copyOf(routes);
  }

  public static RouteConfig defaults() {
    return new RouteConfig(List.of(), Optional.empty(), false);
  }

  /**
   * Gives back this if all of it can be used.
   *
   * @throws IllegalArgumentException naming the first place that cannot, never an address of a
   *     proxy
   */
  public RouteConfig checked() {
    RouteTable.of(this);
    return this;
  }

  /**
   * Gives back an address of a proxy if it can be read.
   *
   * @throws IllegalArgumentException naming the part that cannot, never the address
   */
  public static String checkedProxyUrl(String url) {
    try {
      ForwardProxy.parse(url);
      return url;
    } catch (BadTargetException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  @Override
  public String toString() {
    return "RouteConfig[routes="
        + routes
        + ", proxyUrl="
        + proxyUrl.map(url -> "***")
        + ", allProxy="
        + allProxy
        + "]";
  }
}
