package dev.millrace.upstream;

import java.util.List;
import java.util.Optional;

/**
 * How origins are reached: directly, or through a forward proxy.
 *
 * @param routes the first that fits best wins
 * @param proxyUrl the proxy of routes that name none; a secret, it may hold a password
 * @param allProxy whether origins without a route go through {@code proxyUrl}
 */
public record RouteConfig(List<Route> routes, Optional<String> proxyUrl, boolean allProxy) {
  /**
   * One rule.
   *
   * @param pattern {@code scheme-or-all://host[:port]}
   */
  public record Route(
      String pattern, boolean proxy, Optional<String> proxyUrl, boolean verifyTls) {}

  public RouteConfig {
    routes = List.copyOf(routes);
  }

  public static RouteConfig defaults() {
    return new RouteConfig(List.of(), Optional.empty(), false);
  }
}
