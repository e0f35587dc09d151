package dev.millrace.servlet;

import dev.millrace.metrics.Metrics;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is told of an exchange that is over: numbers, and one line. The line goes to the logger
 * {@value #LOGGER}, so that it can be sent elsewhere:
 *
 * <pre>{@code
 * id client method route origin=… status=… bytes=… ms=… first_ms=… outcome=…
 * }</pre>
 *
 * <p>Words from clients are cut to {@value #MAX_WORD} characters, and whatever is not printable
 * ASCII becomes a question mark: nobody can write a line of their own.
 */
public final class ExchangeLog {
  static final String LOGGER = "dev.millrace.access";

  private static final Logger LOG = LoggerFactory.getLogger(LOGGER);
  private static final int MAX_WORD = 300;
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE");
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Metrics metrics;
  private final Metrics.Counter clientsLeft;
  private final Metrics.Timer firstByte;
  private final boolean isWritten;
  private final LongSupplier nanoTime;

  /**
   * @param isWritten whether there are lines; numbers there are always
   * @param nanoTime like {@link System#nanoTime()}
   */
  public ExchangeLog(Metrics metrics, boolean isWritten, LongSupplier nanoTime) {
    this.metrics = metrics;
    this.clientsLeft = metrics.counter("clients_left");
    this.firstByte = metrics.timer("response_first_byte");
    this.isWritten = isWritten;
    this.nanoTime = nanoTime;
  }

  /** Tells it, the first time it is called for an exchange. Any thread. */
  void over(Exchange exchange) {
    if (!exchange.end()) {
      return;
    }
    count(exchange);
    if (isWritten && LOG.isInfoEnabled()) {
      LOG.info(line(exchange, nanoTime.getAsLong()));
    }
  }

  static String line(Exchange exchange, long nanoTime) {
    return String.join(
        " ",
        exchange.id(),
        word(exchange.client()),
        word(exchange.method()),
        exchange.route(),
        "origin=" + word(exchange.origin()),
        "status=" + (exchange.status() == 0 ? "-" : exchange.status()),
        "bytes=" + exchange.bytes(),
        "ms=" + (nanoTime - exchange.startNanos()) / NANOS_PER_MILLI,
        "first_ms=" + firstMillis(exchange),
        "outcome=" + exchange.outcome());
  }

  private static String firstMillis(Exchange exchange) {
    return exchange.firstByteNanos().isPresent()
        ? Long.toString(exchange.firstByteNanos().getAsLong() / NANOS_PER_MILLI)
        : "-";
  }

  private void count(Exchange exchange) {
    String method = exchange.method();
    metrics
        .counter(
            "requests",
            "endpoint",
            exchange.route(),
            "method",
            METHODS.contains(method) ? method : "other",
            "status",
            exchange.status() == 0 ? "none" : exchange.status() / 100 + "xx")
        .increment();
    exchange.firstByteNanos().ifPresent(firstByte::record);
    switch (exchange.outcome()) {
      case Exchange.COMPLETE -> {}
      case Exchange.CLIENT_LEFT -> clientsLeft.increment();
      default -> metrics.counter("failures", "reason", exchange.outcome()).increment();
    }
  }

  private static String word(String text) {
    StringBuilder word = new StringBuilder(Math.min(text.length(), MAX_WORD));
    for (int i = 0; i < text.length() && i < MAX_WORD; i++) {
      char c = text.charAt(i);
      word.append(c > ' ' && c < 0x7f ? c : '?');
    }
    return word.isEmpty() ? "-" : word.toString();
  }
}
