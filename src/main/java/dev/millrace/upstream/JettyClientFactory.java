package dev.millrace.upstream;

import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.HttpClientTransport;
import org.eclipse.jetty.http.HttpCookieStore;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.ClientConnector;

/** Sets up the one HTTP client: pooled, bounded, and without a will of its own. */
public final class JettyClientFactory {
  private static final int MAX_HEADER_BYTES = 64 << 10;
  private static final int DESTINATION_IDLE_MILLIS = 60_000;

  private JettyClientFactory() {}

  /**
   * Makes a client that is not started. It follows no redirects, keeps no cookies, decodes nothing
   * unasked and has no total time-out.
   *
   * @param shared stays the caller's
   */
  public static HttpClient newClient(UpstreamConfig config, JettyResources shared) {
    ByteBufferPool views = new JettyPrivateViews(shared.buffers());
    ClientConnector connector = new JettyHonestConnector();
    connector.setSelectors(1);
    connector.setExecutor(shared.executor());
    connector.setScheduler(shared.scheduler());
    connector.setByteBufferPool(views);
    connector.setConnectTimeout(config.connectTimeout());
    RouteTable routes = RouteTable.of(config.routes());
    connector.setSslContextFactory(JettyRoutedTls.of(config.verifyTls(), routes.hasUnverified()));

    HttpClient client = new JettyElasticClient(newTransport(config, connector), shared.memory());
    client.setName("millrace-upstream");
    client.setExecutor(shared.executor());
    client.setScheduler(shared.scheduler());
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
            TargetPolicy.of(config.allowTargets()),
            shared.resolvers(),
            shared.scheduler(),
            config.resolveTimeout()));
    routes
        .proxies()
        .forEach(proxy -> client.getProxyConfiguration().addProxy(new JettyForwardProxy(proxy)));
    return client;
  }

  /** What HTTP/2 needs is not loaded unless it is wanted. */
  private static HttpClientTransport newTransport(
      UpstreamConfig config, ClientConnector connector) {
    return config.http2() ? new JettyNegotiatedHttp(connector) : new JettyStrictHttp1(connector);
  }
}
