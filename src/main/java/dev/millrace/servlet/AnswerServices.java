package dev.millrace.servlet;

import dev.millrace.stream.MemoryBudget;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What requests share that are answered later, and from memory.
 *
 * @param log is told when one is over
 * @param texts what the bodies of requests and their answers may take together, in bytes as they
 *     are on the wire
 * @param timer for time-outs
 * @param atMost how long a client may take to send a request's body, and again to take the answer
 */
public record AnswerServices(
    ExchangeLog log, MemoryBudget texts, ScheduledExecutorService timer, Duration atMost) {
  /** All requests together. */
  public static final long MAX_TEXT_BYTES = 8 << 20;

  public static final Duration AT_MOST = Duration.ofSeconds(30);

  /** With the limits of the product. */
  public static AnswerServices of(ExchangeLog log, ScheduledExecutorService timer) {
    return new AnswerServices(log, new MemoryBudget(MAX_TEXT_BYTES), timer, AT_MOST);
  }
}
