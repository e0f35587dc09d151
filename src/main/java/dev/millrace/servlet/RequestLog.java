package dev.millrace.servlet;

import dev.millrace.upstream.Target;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line per exchange. Of the request only its method and route are told, of the destination only
 * its origin: queries and paths carry passwords and signatures.
 */
final class RequestLog {
  private static final Logger LOG = LoggerFactory.getLogger(RequestLog.class);

  private static final String ROUTE = "/proxy/stream";

  private RequestLog() {}

  /**
   * Writes the line.
   *
   * @param outcome {@code complete}; {@code aborted} by the client; {@code aborted:} with the
   *     reason, if the origin broke off; or the reason of a failure that was answered
   */
  static void write(
      String requestId,
      String method,
      Target destination,
      int status,
      long bytes,
      long millis,
      String outcome) {
    LOG.info(
        "{} {} {} origin={} status={} bytes={} ms={} outcome={}",
        requestId,
        method,
        ROUTE,
        destination.origin(),
        status,
        bytes,
        millis,
        outcome);
  }
}
