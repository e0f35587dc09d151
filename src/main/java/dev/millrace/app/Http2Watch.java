package dev.millrace.app;

import dev.millrace.servlet.ClientWatch.Watching;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.server.internal.HTTP2ServerConnection;
import org.eclipse.jetty.server.Request;

/**
 * Watches one stream of an HTTP/2 client. Its connection is read all the time, so a reset stream
 * (RFC 9113 §5.4.2) and a lost connection reach the request as a failure; what remains to be done
 * is to pass that on, and to switch the stream's idle time-out off for as long.
 */
final class Http2Watch {
  private static final String FAILED = "dev.millrace.failed";

  private Http2Watch() {}

  /**
   * Called before a stream's request is told: one that fails earlier than it is watched is lost.
   */
  static void markFailed(Stream stream) {
    stream.setAttribute(FAILED, true);
  }

  /** Begins; {@code gone} runs at most once. */
  static Watching watch(HTTP2ServerConnection connection, Request request, Runnable gone) {
    AtomicBoolean isTold = new AtomicBoolean();
    Runnable tell =
        () -> {
          if (isTold.compareAndSet(false, true)) {
            gone.run();
          }
        };
    request.addFailureListener(failure -> tell.run());
    Stream stream = connection.getSession().getStream(Integer.parseInt(request.getId()));
    if (stream == null || stream.getAttribute(FAILED) != null) {
      tell.run();
      return () -> {};
    }
    long idleTimeoutMillis = stream.getIdleTimeout();
    stream.setIdleTimeout(0);
    return () -> stream.setIdleTimeout(idleTimeoutMillis);
  }
}
