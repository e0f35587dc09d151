package dev.millrace.upstream;

import dev.millrace.metrics.Metrics;
import java.util.List;
import java.util.function.ToLongFunction;
import org.eclipse.jetty.client.AbstractConnectionPool;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.transport.HttpDestination;

/**
 * Shows how many connections to origins there are, over all of them: origins are not told apart.
 */
public final class JettyPoolMetrics {
  private JettyPoolMetrics() {}

  /** Shows the pools of these clients together. */
  public static void show(Metrics metrics, List<HttpClient> clients) {
    List<HttpClient> all = List.copyOf(clients);
    metrics.gauge(
        "upstream_connections",
        () -> sum(all, AbstractConnectionPool::getActiveConnectionCount),
        "state",
        "active");
    metrics.gauge(
        "upstream_connections",
        () -> sum(all, AbstractConnectionPool::getIdleConnectionCount),
        "state",
        "idle");
    metrics.gauge(
        "upstream_destinations",
        () -> all.stream().mapToLong(client -> client.getDestinations().size()).sum());
  }

  private static long sum(List<HttpClient> clients, ToLongFunction<AbstractConnectionPool> count) {
    return clients.stream()
        .flatMap(client -> client.getDestinations().stream())
        .filter(HttpDestination.class::isInstance)
        .map(destination -> ((HttpDestination) destination).getConnectionPool())
        .filter(AbstractConnectionPool.class::isInstance)
        .mapToLong(pool -> count.applyAsLong((AbstractConnectionPool) pool))
        .sum();
  }
}
