package dev.millrace.servlet;

import dev.millrace.proxy.ProxyConfig;
import dev.millrace.stream.MemoryBudget;
import dev.millrace.upstream.Fetcher;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

/**
 * What every streamed exchange shares.
 *
 * @param fetcher where bodies come from
 * @param transforms which filter a request asks for
 * @param clientWatch tells of clients that leave
 * @param writes what the container does with written bytes
 * @param buffers the direct memory that exchanges may pin together
 * @param sessions the streams that run
 * @param log is told when one is over
 * @param timer for time-outs
 * @param nanoTime like {@link System#nanoTime()}
 */
public record StreamServices(
    ProxyConfig proxyConfig,
    RelayConfig config,
    Fetcher fetcher,
    Transforms transforms,
    ClientWatch clientWatch,
    Writes writes,
    MemoryBudget buffers,
    Sessions sessions,
    ExchangeLog log,
    ScheduledExecutorService timer,
    LongSupplier nanoTime) {
  /**
   * What one exchange pins at most: a read of the origin's, what the two connections hold while
   * they parse and generate, and two TLS records of an origin that is reached by https.
   */
  static final int BUFFER_BYTES = 128 << 10;
}
