package dev.millrace.servlet;

import dev.millrace.proxy.Arrival;
import dev.millrace.proxy.Endpoint;
import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.Target;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One request of a client and what becomes of it, for whoever watches: the access log, the metrics
 * and the list of sessions. It travels with the request as an attribute. Of the request nothing is
 * kept that could hold a secret: no path, no query, of the destination only its origin.
 *
 * <p>Written by whoever serves the request, read by any thread.
 */
final class Exchange {
  /** What an outcome is if nothing went wrong. */
  static final String COMPLETE = "complete";

  /** The outcome when the client did not wait for the end. */
  static final String CLIENT_LEFT = "client_left";

  private static final String ATTRIBUTE = Exchange.class.getName();
  private static final String NONE = "none";

  /** A body on its way. */
  interface Running {
    /** Body bytes given to the container so far. */
    long writtenBytes();

    /** How long the client has taken nothing by now. */
    long waitedForClientNanos();

    /** Ends it visibly: an error if nothing was sent yet, a broken connection otherwise. */
    void breakOff(ExchangeException cause);
  }

  private final String id;
  private final Arrival arrival;
  private final String method;
  private final Instant start;
  private final long startNanos;
  private final AtomicBoolean isOver = new AtomicBoolean();
  private volatile String route = NONE;
  private volatile String origin = "-";
  private volatile @Nullable Running running;
  private volatile int status;
  private volatile long answeredBytes;
  private volatile long firstByteNanos = -1;
  private volatile String outcome = COMPLETE;

  Exchange(Arrival arrival, String method, Instant start, long startNanos) {
    this.id = String.format("%016x", ThreadLocalRandom.current().nextLong());
    this.arrival = arrival;
    this.method = method;
    this.start = start;
    this.startNanos = startNanos;
  }

  /** A request that has just come; {@link #of} finds it from now on. */
  static Exchange begin(
      HttpServletRequest clientRequest, Arrival arrival, Instant start, long startNanos) {
    Exchange exchange = new Exchange(arrival, clientRequest.getMethod(), start, startNanos);
    clientRequest.setAttribute(ATTRIBUTE, exchange);
    return exchange;
  }

  /** The exchange of this request. */
  static Exchange of(HttpServletRequest clientRequest) {
    if (clientRequest.getAttribute(ATTRIBUTE) instanceof Exchange exchange) {
      return exchange;
    }
    throw new IllegalStateException("the request did not pass ExchangeFilter");
  }

  /** Random, 16 hexadecimal digits: what log, answers and sessions have in common. */
  String id() {
    return id;
  }

  /** Where the request came from, and by which address. */
  Arrival arrival() {
    return arrival;
  }

  /** Address of the client, as far as front ends are believed. */
  String client() {
    return arrival.caller().address();
  }

  String method() {
    return method;
  }

  Instant start() {
    return start;
  }

  long startNanos() {
    return startNanos;
  }

  /** {@link Endpoint#label}, or {@code none} for paths that are not ours. */
  String route() {
    return route;
  }

  void routed(Endpoint endpoint) {
    route = endpoint.label();
  }

  /** {@link Target#origin}, or a hyphen. */
  String origin() {
    return origin;
  }

  /** From now on somebody moves a body for it, and tells when it is over. */
  void run(Target destination, Running body) {
    origin = destination.origin();
    running = body;
  }

  /** Whether a body is or was on its way. */
  boolean isStreamed() {
    return running != null;
  }

  /** HTTP status; 0: none yet. */
  int status() {
    return status;
  }

  void answered(int httpStatus) {
    status = httpStatus;
  }

  /** The same with a body that was written at once. */
  void answered(int httpStatus, long bytes) {
    status = httpStatus;
    answeredBytes = bytes;
  }

  /** Body bytes sent so far. */
  long bytes() {
    Running body = running;
    return body == null ? answeredBytes : body.writtenBytes();
  }

  /** From the request to the first byte of the body, in nanoseconds. */
  OptionalLong firstByteNanos() {
    long nanos = firstByteNanos;
    return nanos < 0 ? OptionalLong.empty() : OptionalLong.of(nanos);
  }

  void firstByteAt(long nanoTime) {
    firstByteNanos = nanoTime - startNanos;
  }

  /** {@link #COMPLETE}, {@link #CLIENT_LEFT}, or the reason of a failure, in snake case. */
  String outcome() {
    return outcome;
  }

  void endedAs(String word) {
    outcome = word;
  }

  /** {@code connecting}, {@code streaming}, or {@code paused} while the client takes nothing. */
  String state(long pauseNanos) {
    Running body = running;
    if (body == null || status == 0) {
      return "connecting";
    }
    return body.waitedForClientNanos() > pauseNanos ? "paused" : "streaming";
  }

  /** Breaks off what runs; does nothing if nothing does yet. */
  void breakOff(ExchangeException cause) {
    Running body = running;
    if (body != null) {
      body.breakOff(cause);
    }
  }

  /** True for the first caller: it is over now. */
  boolean end() {
    return isOver.compareAndSet(false, true);
  }
}
