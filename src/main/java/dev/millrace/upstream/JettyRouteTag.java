package dev.millrace.upstream;

import org.jspecify.annotations.Nullable;

/**
 * What tells destinations of Jetty's client apart that lead to one origin: each way has connections
 * of its own. A fresh one never has any in its pool: requests carry "close".
 */
record JettyRouteTag(OutboundRoute route, boolean isFresh) {
  /** None for what most requests need: a direct way, certificates checked, connections pooled. */
  static @Nullable JettyRouteTag of(OutboundRoute route, boolean isFresh) {
    boolean isPlain = route.proxy().isEmpty() && route.verifyTls() && !isFresh;
    return isPlain ? null : new JettyRouteTag(route, isFresh);
  }
}
