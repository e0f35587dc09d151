package dev.millrace.app;

import dev.millrace.config.ServerConfig;
import java.util.Optional;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Sets up where the standalone server listens: one port, http or https. */
final class Connectors {
  private static final int MAX_REQUEST_HEAD_BYTES = 96 << 10;
  private static final int MAX_RESPONSE_HEAD_BYTES = 32 << 10;
  private static final int OUTPUT_BUFFER_BYTES = 32 << 10;

  private Connectors() {}

  /** Makes it; {@code https} is present if it is to speak TLS. */
  static ServerConnector newConnector(
      Server server, ServerConfig config, Optional<HttpsConnector> https) {
    HttpConfiguration http = newHttpConfiguration();
    ConnectionFactory[] factories =
        https.isPresent()
            ? https.get().connectionFactories(http)
            : new ConnectionFactory[] {new HttpConnectionFactory(http)};
    ServerConnector connector = new ServerConnector(server, 1, 1, factories);
    connector.setHost(config.host());
    connector.setPort(config.port());
    connector.setAcceptQueueSize(config.acceptQueue());
    connector.setIdleTimeout(config.idleTimeout().toMillis());
    return connector;
  }

  private static HttpConfiguration newHttpConfiguration() {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(MAX_REQUEST_HEAD_BYTES);
    http.setMaxResponseHeaderSize(MAX_RESPONSE_HEAD_BYTES);
    http.setOutputBufferSize(OUTPUT_BUFFER_BYTES);
    http.setOutputAggregationSize(OUTPUT_BUFFER_BYTES);
    http.setUriCompliance(UriCompliance.UNSAFE);
    return http;
  }
}
