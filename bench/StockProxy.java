import org.eclipse.jetty.ee11.proxy.AsyncProxyServlet;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * Jetty's own {@code AsyncProxyServlet} as it comes, in front of one origin: {@code java StockProxy.java PORT ORIGIN}.
 * Only the number of connections to the origin is set, to that of the other relays.
 */
final class StockProxy {
  private static final String CONNECTIONS = "10";

  public static void main(String[] args) throws Exception {
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    connector.setPort(Integer.parseInt(args[0]));
    server.addConnector(connector);
    ServletHolder proxy = new ServletHolder("proxy", AsyncProxyServlet.Transparent.class);
    proxy.setAsyncSupported(true);
    proxy.setInitParameter("proxyTo", args[1]);
    proxy.setInitParameter("maxConnections", CONNECTIONS);
    ServletContextHandler context = new ServletContextHandler("/");
    context.setAttribute("org.eclipse.jetty.server.Executor", server.getThreadPool());
    context.addServlet(proxy, "/*");
    server.setHandler(context);
    server.start();
    server.join();
  }
}
