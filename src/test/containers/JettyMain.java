import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.eclipse.jetty.ee11.webapp.WebAppContext;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * A program of its own with Jetty in it and one web application, for tests, run from its source:
 *
 * <pre>
 * java -cp JARS src/test/containers/JettyMain.java \
 *     --port 8080 --war target/millrace.war [--address 0.0.0.0] [--context /path]
 *     [--parameter NAME=VALUE]…
 * </pre>
 *
 * Prints and ends as {@code TomcatMain} does.
 */
public final class JettyMain {
  private static final int MAX_REQUEST_HEAD_BYTES = 96 << 10;

  private JettyMain() {}

  /** See above. */
  public static void main(String... args) throws Exception {
    Deque<String> options = new ArrayDeque<>(List.of(args));
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http()));
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    WebAppContext context = new WebAppContext();
    context.setContextPath("/");
    context.setThrowUnavailableOnStartupException(true);
    context.getServletHandler().setDecodeAmbiguousURIs(true);
    while (!options.isEmpty()) {
      switch (options.pop()) {
        case "--port" -> connector.setPort(Integer.parseInt(options.pop()));
        case "--address" -> connector.setHost(options.pop());
        case "--war" -> context.setWar(options.pop());
        case "--context" -> context.setContextPath(options.pop());
        case "--parameter" -> {
          String[] pair = options.pop().split("=", 2);
          context.setInitParameter(pair[0], pair[1]);
        }
        default -> throw new IllegalArgumentException("unknown option, see the source");
      }
    }
    server.setHandler(context);
    try {
      server.start();
    } catch (Exception e) {
      e.printStackTrace();
      System.exit(3);
    }
    System.out.println("listens at " + connector.getLocalPort());
    if (System.in.read() >= 0) {
      context.stop();
      System.out.println("undeployed");
      Thread.getAllStackTraces().keySet().stream()
          .map(Thread::getName)
          .filter(name -> name.contains("millrace"))
          .forEach(name -> System.out.println("left over: " + name));
      System.out.println("end");
      while (System.in.read() >= 0) {
        // until it ends
      }
    }
    System.exit(0);
  }

  private static HttpConfiguration http() {
    HttpConfiguration http = new HttpConfiguration();
    http.setIdleTimeout(0);
    http.setUriCompliance(UriCompliance.UNSAFE);
    http.setRequestHeaderSize(MAX_REQUEST_HEAD_BYTES);
    return http;
  }
}
