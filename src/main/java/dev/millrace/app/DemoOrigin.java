package dev.millrace.app;

import java.net.InetAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ResourceHandler;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.resource.ResourceFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * An origin to try the proxy on: one clip, with ranges and entity tags, on a free loopback port.
 */
final class DemoOrigin implements AutoCloseable {
  private static final String CLIP = "clip.mp4";

  private final Server server;
  private final ServerConnector connector;

  private DemoOrigin(Server server, ServerConnector connector) {
    this.server = server;
    this.connector = connector;
  }

  /** Starts it. */
  static DemoOrigin start() throws Exception {
    QueuedThreadPool threads = new QueuedThreadPool(8, 2);
    threads.setName("demo-origin");
    Server server = new Server(threads);
    ServerConnector connector = new ServerConnector(server, 1, 1);
    connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
    server.addConnector(connector);
    ResourceHandler clips = new ResourceHandler();
    clips.setBaseResource(
        ResourceFactory.of(server).newClassLoaderResource("dev/millrace/app/demo/"));
    clips.setDirAllowed(false);
    clips.setEtags(true);
    server.setHandler(clips);
    server.start();
    return new DemoOrigin(server, connector);
  }

  /** {@code host:port}. */
  String authority() {
    return connector.getHost() + ":" + connector.getLocalPort();
  }

  /** Three lines to paste: into a shell, into a shell with a screen, into a browser. */
  List<String> linesToPaste(URI proxy) {
    String url = clipThrough(proxy).toString();
    String trust = proxy.getScheme().equals("https") ? "-k " : "";
    return List.of(
        "curl -sS " + trust + "-D - -o clip.mp4 '" + url + "'", "ffplay '" + url + "'", url);
  }

  /** The clip's address at a proxy. */
  URI clipThrough(URI proxy) {
    String clip = "http://" + authority() + "/" + CLIP;
    return proxy.resolve("/proxy/stream?d=" + URLEncoder.encode(clip, StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    LifeCycle.stop(server);
  }
}
