package dev.millrace.testing;

import dev.millrace.app.StandaloneServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.util.function.UnaryOperator;

/** The server under test, in this process, on a free port of loopback. */
public final class RunningMillrace implements AutoCloseable {
  private final StandaloneServer millrace;
  private final URI uri;

  private RunningMillrace(StandaloneServer millrace) {
    this.millrace = millrace;
    this.uri = millrace.uri();
  }

  public static RunningMillrace start() {
    return start(settings -> settings);
  }

  public static RunningMillrace start(UnaryOperator<TestSettings> change) {
    StandaloneServer millrace = new StandaloneServer(change.apply(new TestSettings()).config());
    try {
      millrace.start();
      return new RunningMillrace(millrace);
    } catch (Exception e) {
      throw new AssertionError("the server does not start", e);
    }
  }

  public int port() {
    return uri.getPort();
  }

  /** {@code target} begins with a slash. */
  public String url(String target) {
    return uri + target;
  }

  /** GET of the stream route for destination {@code d}; the answer is read to its end and kept. */
  public RawAnswer get(String d, String... fields) throws IOException {
    return fetch("GET", StreamLink.to(d), fields);
  }

  /** GET of the stream route whose body is compared with {@link OffsetBytes} instead of kept. */
  public CountedAnswer count(String d, String... fields) throws IOException {
    return RawHttp.count(port(), StreamLink.to(d).toString(), fields);
  }

  public RawAnswer head(String d, String... fields) throws IOException {
    return fetch("HEAD", StreamLink.to(d), fields);
  }

  public RawAnswer fetch(String method, StreamLink link, String... fields) throws IOException {
    return fetch(method, link.toString(), fields);
  }

  public RawAnswer fetch(String method, String target, String... fields) throws IOException {
    return RawHttp.fetch(port(), method, target, fields);
  }

  /** The same, asked from another address of 127.0.0.0/8. */
  public RawAnswer fetchFrom(String source, String method, String target, String... fields)
      throws IOException {
    try (RawHttp client = RawHttp.connectFrom(source, port())) {
      client.request(method, target, fields);
      return client.answer(method);
    }
  }

  /** A client that has asked for {@code d} and read nothing of the answer. */
  public RawHttp ask(String d, String... fields) throws IOException {
    return ask(0, d, fields);
  }

  /** The same with a receive buffer of about so many bytes. */
  public RawHttp ask(int receiveBufferBytes, String d, String... fields) throws IOException {
    RawHttp client = RawHttp.connect(port(), receiveBufferBytes);
    client.request("GET", StreamLink.to(d).toString(), fields);
    return client;
  }

  /** Tells it to stop as a signal does; returns when no stream runs any more. */
  public void drain() {
    millrace.drain();
  }

  /** Tells it so a second time. */
  public void hurry() {
    millrace.hurry();
  }

  @Override
  public void close() {
    try {
      millrace.close();
    } catch (Exception e) {
      StringWriter told = new StringWriter(); // summaries of builds show messages only
      e.printStackTrace(new PrintWriter(told));
      throw new AssertionError("the server does not stop: " + told, e);
    }
  }
}
