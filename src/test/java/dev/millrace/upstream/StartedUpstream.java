package dev.millrace.upstream;

import dev.millrace.stream.MemoryBudget;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.util.SocketAddressResolver;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;

/** The real client, as the server sets it up, with short time-outs. */
final class StartedUpstream implements AutoCloseable {
  private final QueuedThreadPool threads = new QueuedThreadPool(16, 2);
  private final ScheduledExecutorScheduler scheduler = new ScheduledExecutorScheduler("it", true);
  private final ArrayByteBufferPool.Tracking buffers = new ArrayByteBufferPool.Tracking();
  private final HttpClient client;
  private final JettyUpstream upstream;

  /**
   * @param allowTargets as the setting
   */
  StartedUpstream(int maxConnections, String... allowTargets) {
    this(maxConnections, true, RouteConfig.defaults(), allowTargets);
  }

  /** Through proxies. */
  StartedUpstream(
      int maxConnections, boolean verifyTls, RouteConfig routes, String... allowTargets) {
    this(maxConnections, verifyTls, routes, resolver -> resolver, allowTargets);
  }

  /** With something round what looks names up. */
  StartedUpstream(
      int maxConnections,
      boolean verifyTls,
      RouteConfig routes,
      UnaryOperator<SocketAddressResolver> resolver,
      String... allowTargets) {
    UpstreamConfig base = UpstreamConfig.defaults();
    UpstreamConfig config =
        new UpstreamConfig(
            base.gatePermits(),
            base.gateWaiting(),
            base.gateTimeout(),
            maxConnections,
            Duration.ofMillis(500),
            base.headerTimeout(),
            base.idleTimeout(),
            base.pooledIdleTimeout(),
            base.resolveTimeout(),
            base.maxRedirects(),
            List.of(allowTargets),
            verifyTls,
            base.resume(),
            routes,
            base.http2());
    client =
        JettyClientFactory.newClient(
            config,
            new JettyResources(threads, threads, scheduler, buffers, new MemoryBudget(1 << 20)));
    client.setSocketAddressResolver(resolver.apply(client.getSocketAddressResolver()));
    LifeCycle.start(threads);
    LifeCycle.start(scheduler);
    LifeCycle.start(client);
    upstream = JettyUpstream.over(client, config);
  }

  ReceivedAnswer get(String url, String... fields) {
    return send("GET", url, fields);
  }

  ReceivedAnswer send(String method, String url, String... fields) {
    ReceivedAnswer answer = new ReceivedAnswer();
    begin(method, url, answer, fields);
    return answer;
  }

  Upstream.Exchange begin(String method, String url, ReceivedAnswer answer, String... fields) {
    try {
      return upstream.send(
          new UpstreamRequest(method, Target.parse(url), Headers.of(fields)), answer);
    } catch (BadTargetException e) {
      throw new AssertionError(e);
    }
  }

  /** Buffers that are in somebody's hands now. */
  int buffersInUse() {
    return buffers.getLeaks().size();
  }

  @Override
  public void close() {
    LifeCycle.stop(client);
    LifeCycle.stop(scheduler);
    LifeCycle.stop(threads);
  }
}
