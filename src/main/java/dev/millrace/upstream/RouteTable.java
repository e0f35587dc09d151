package dev.millrace.upstream;

import dev.millrace.upstream.RouteConfig.Route;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which way a target is reached. Asked for every request and every hop of it, so that a redirect
 * from one host to another is routed anew. Immutable.
 */
final class RouteTable {
  private record Rule(RoutePattern pattern, OutboundRoute route) {}

  private final List<Rule> rules;
  private final OutboundRoute otherwise;

  private RouteTable(List<Rule> rules, OutboundRoute otherwise) {
    this.rules = rules;
    this.otherwise = otherwise;
  }

  /**
   * @throws IllegalArgumentException naming the first route that cannot be used by its place in the
   *     list, never an address of a proxy
   */
  static RouteTable of(RouteConfig config) {
    if (config.routes().size() > RouteConfig.MAX_ROUTES) {
      throw new IllegalArgumentException(
          "too many routes (expected: at most " + RouteConfig.MAX_ROUTES + ")");
    }
    Optional<ForwardProxy> common = config.proxyUrl().map(RouteTable::common);
    List<Rule> rules = new ArrayList<>();
    for (Route route : config.routes()) {
      rules.add(rule(route, rules.size() + 1, common));
    }
    rules.sort(Comparator.comparing(Rule::pattern, RoutePattern.BY_SPECIFICITY));
    if (config.allProxy() && common.isEmpty()) {
      throw new IllegalArgumentException("ALL_PROXY is on, and PROXY_URL is not set");
    }
    return new RouteTable(
        List.copyOf(rules), new OutboundRoute(common.filter(proxy -> config.allProxy()), true));
  }

  private static ForwardProxy common(String url) {
    try {
      return ForwardProxy.parse(url);
    } catch (BadTargetException e) {
      throw new IllegalArgumentException("PROXY_URL: " + e.getMessage(), e);
    }
  }

  private static Rule rule(Route route, int number, Optional<ForwardProxy> common) {
    try {
      RoutePattern pattern = RoutePattern.parse(route.pattern());
      Optional<ForwardProxy> own = Optional.empty();
      if (route.proxyUrl().isPresent()) {
        own = Optional.of(ForwardProxy.parse(route.proxyUrl().get()));
      }
      Optional<ForwardProxy> proxy = route.proxy() ? own.or(() -> common) : Optional.empty();
      if (route.proxy() && proxy.isEmpty()) {
        throw new BadTargetException("neither proxy_url nor PROXY_URL names its proxy");
      }
      return new Rule(pattern, new OutboundRoute(proxy, route.verifyTls()));
    } catch (BadTargetException e) {
      String place = "route " + number + shown(route.pattern()) + ": ";
      throw new IllegalArgumentException(place + e.getMessage(), e);
    }
  }

  /** Not if it may hold a password. */
  private static String shown(String pattern) {
    boolean isFit =
        pattern.length() <= 80
            && pattern.indexOf('@') < 0
            && pattern.chars().noneMatch(Character::isISOControl);
    return isFit ? " \"" + pattern + "\"" : "";
  }

  OutboundRoute routeTo(Target target) {
    for (Rule rule : rules) {
      if (rule.pattern.covers(target)) {
        return rule.route;
      }
    }
    return otherwise;
  }

  /** Every proxy that a target may be reached through. */
  Set<ForwardProxy> proxies() {
    return routes().flatMap(route -> route.proxy().stream()).collect(Collectors.toSet());
  }

  /** Whether the certificates of some targets are not checked. */
  boolean hasUnverified() {
    return routes().anyMatch(route -> !route.verifyTls());
  }

  private Stream<OutboundRoute> routes() {
    return Stream.concat(rules.stream().map(Rule::route), Stream.of(otherwise));
  }
}
