package dev.millrace.upstream;

import dev.millrace.stream.MemoryBudget;
import java.util.concurrent.Executor;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.http.HttpCookieStore;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.Scheduler;

/** Sets up the one HTTP client: pooled, bounded, and without a will of its own. */
public final class JettyClientFactory {
  private static final int MAX_HEADER_BYTES = 64 << 10;
  private static final int DESTINATION_IDLE_MILLIS = 60_000;

  private JettyClientFactory() {}

  /**
   * Makes a client that is not started. It follows no redirects, keeps no cookies, decodes nothing
   * unasked and has no total time-out.
   *
   * @param executor shared with the server
   * @param scheduler shared with the server
   * @param buffers shared with the server
   * @param memory what running exchanges have reserved; decides how large reads are
   */
  public static HttpClient newClient(
      UpstreamConfig config,
      Executor executor,
      Scheduler scheduler,
      ByteBufferPool buffers,
      MemoryBudget memory) {
    ByteBufferPool views = new JettyPrivateViews(buffers);
    ClientConnector connector = new ClientConnector();
    connector.setSelectors(1);
    connector.setExecutor(executor);
    connector.setScheduler(scheduler);
    connector.setByteBufferPool(views);
    connector.setConnectTimeout(config.connectTimeout());
    SslContextFactory.Client tls = new SslContextFactory.Client(!config.verifyTls());
    if (!config.verifyTls()) {
      tls.setEndpointIdentificationAlgorithm(null);
    }
    connector.setSslContextFactory(tls);

    HttpClient client = new JettyElasticClient(new JettyStrictHttp1(connector), memory);
    client.setName("millrace-upstream");
    client.setExecutor(executor);
    client.setScheduler(scheduler);
    client.setByteBufferPool(views);
    client.setFollowRedirects(false);
    client.setHttpCookieStore(new HttpCookieStore.Empty());
    client.setUserAgentField(null);
    client.setConnectTimeout(config.connectTimeout().toMillis());
    client.setIdleTimeout(config.pooledIdleTimeout().toMillis());
    client.setDestinationIdleTimeout(DESTINATION_IDLE_MILLIS);
    client.setMaxConnectionsPerDestination(config.maxConnections());
    client.setMaxRequestsQueuedPerDestination(config.maxConnections());
    client.setMaxRequestHeadersSize(MAX_HEADER_BYTES);
    client.setMaxResponseHeadersSize(MAX_HEADER_BYTES);
    client.setSocketAddressResolver(
        new JettyGuardedResolver(
            TargetPolicy.of(config.allowTargets()), executor, scheduler, config.resolveTimeout()));
    return client;
  }
}
