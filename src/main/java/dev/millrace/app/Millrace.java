package dev.millrace.app;

import dev.millrace.config.MillraceConfig;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import org.eclipse.jetty.ee11.proxy.AsyncProxyServlet;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.component.LifeCycle;

/** Placeholder until the server itself lands: relays {@code d} as it is. */
public final class Millrace implements AutoCloseable {
  private final Server server = new Server();

  public Millrace(MillraceConfig config) {
    ServerConnector connector = new ServerConnector(server);
    connector.setHost(config.server().host());
    connector.setPort(config.server().port());
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler("/");
    ServletHolder holder = new ServletHolder(new Relay());
    holder.setInitParameter("maxThreads", "16");
    context.addServlet(holder, "/proxy/stream");
    server.setHandler(context);
  }

  public void start() throws Exception {
    server.start();
  }

  public URI uri() {
    return server.getURI();
  }

  @Override
  public void close() {
    LifeCycle.stop(server);
  }

  private static final class Relay extends AsyncProxyServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected String rewriteTarget(HttpServletRequest clientRequest) {
      return clientRequest.getParameter("d");
    }
  }
}
