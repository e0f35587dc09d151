package dev.millrace.upstream;

import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.OverBudgetException;
import dev.millrace.upstream.UpstreamException.Kind;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * Asks one source until one of its answers counts.
 *
 * <h2>Attempts</h2>
 *
 * Attempts come one at a time. Each passes the gate of its origin, sends, and ends in one of three
 * ways: its answer is delivered; its answer is discarded and the next attempt begins once its
 * connection is back in the pool (redirect, short retry, another form of the same question); or the
 * source has failed. Which one, {@link NextAttempt} decides.
 *
 * <h2>Time</h2>
 *
 * The time for headers runs over all attempts, but not while one of them waits at a gate (which has
 * a limit of its own) or for its retry. After delivery, only silence while bytes are wanted is
 * limited. A request with content has that time from when its content is sent; before, only how
 * long the origin takes nothing of it is limited.
 *
 * <h2>Threads</h2>
 *
 * Attempts are serialized by their nature; {@link #cancel} and the timer may come from any thread
 * and only abort the exchange under way, whose end then takes the usual path.
 */
final class Attempts {
  /** What asking comes to: one of the two, once. */
  interface Listener {
    /**
     * The answer that counts is here.
     *
     * @param head after redirects
     * @param body owned by the listener, to be read to its end or failed; for HEAD it is empty
     */
    void onResponse(UpstreamHead head, FetchBody body);

    void onFailure(ExchangeException failure);
  }

  private final Fetcher shared;
  private final NextAttempt first;
  private final Listener listener;
  private final Object lock = new Object();
  private @Nullable ExchangeException cancelCause;
  private @Nullable Runnable abort;
  private @Nullable Future<?> headerTimer;
  private long headerNanosLeft;
  private long headerTimerStart;
  private long startNanos;

  /** No answer is waited for any more. */
  private boolean isDecided;

  Attempts(Fetcher shared, NextAttempt first, Listener listener) {
    this.shared = shared;
    this.first = first;
    this.listener = listener;
    this.headerNanosLeft = shared.config().headerTimeout().toNanos();
  }

  void start() {
    startNanos = shared.nanoTime().getAsLong();
    enterGate(first);
  }

  /** The answer is not wanted any more: closes what is open, fails what is unread. Any thread. */
  void cancel(ExchangeException cause) {
    Runnable toRun;
    synchronized (lock) {
      if (cancelCause != null) {
        return;
      }
      cancelCause = cause;
      toRun = abort;
    }
    if (toRun != null) {
      toRun.run();
    }
  }

  private Optional<ExchangeException> cancelCause() {
    synchronized (lock) {
      return Optional.ofNullable(cancelCause);
    }
  }

  /** Says what {@link #cancel} has to stop from now on; stops it at once if that was too late. */
  private void abortBy(Runnable action) {
    boolean isLate;
    synchronized (lock) {
      abort = action;
      isLate = cancelCause != null;
    }
    if (isLate) {
      action.run();
    }
  }

  private void enterGate(NextAttempt next) {
    long arrivedNanos = shared.nanoTime().getAsLong();
    CompletableFuture<OriginGate.Permit> entry = shared.gate().enter(next.target().origin());
    abortBy(
        () -> {
          if (!entry.cancel(false)) {
            var unused = entry.thenAccept(OriginGate.Permit::release);
          }
        });
    var unused =
        entry.whenComplete(
            (permit, failure) -> {
              if (permit != null) {
                shared.metrics().gateWait().record(since(arrivedNanos));
                send(next, permit);
              } else {
                listener.onFailure(cancelCause().orElseGet(() -> gateFailure(failure)));
              }
            });
  }

  private long since(long nanos) {
    return shared.nanoTime().getAsLong() - nanos;
  }

  private static ExchangeException gateFailure(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof ExchangeException known
        ? known
        : new OverBudgetException("origin_busy", "The origin has no free connection.");
  }

  private void send(NextAttempt next, OriginGate.Permit permit) {
    Optional<ExchangeException> cancelled = cancelCause();
    if (cancelled.isPresent()) {
      permit.release();
      listener.onFailure(cancelled.get());
      return;
    }
    UpstreamRequest request = next.request();
    Optional<SentBody> body = request.body().map(this::watched);
    if (body.isEmpty()) {
      startHeaderTimer();
    }
    PermitHold hold = new PermitHold(permit, shared.timer());
    if (body.isPresent()) {
      hold.onContent();
    } else if (request.mayBeKeptBack()) {
      hold.mayBeKeptBack();
    }
    Attempt attempt = new Attempt(next, hold, body);
    abortBy(attempt::abort);
    UpstreamRequest toSend = body.<UpstreamRequest>map(request::withBody).orElse(request);
    attempt.sentAs(shared.upstream().send(toSend, attempt));
  }

  private SentBody watched(Content.Source body) {
    return new SentBody(
            body,
            shared,
            () -> cancel(new UpstreamException(Kind.UPSTREAM_STALLED)),
            this::startHeaderTimer)
        .open();
  }

  private void startHeaderTimer() {
    synchronized (lock) {
      if (isDecided) {
        return; // answered before all of the request was sent
      }
      headerTimerStart = shared.nanoTime().getAsLong();
      try {
        headerTimer =
            shared
                .timer()
                .schedule(
                    () -> cancel(new UpstreamException(Kind.UPSTREAM_TIMEOUT)),
                    Math.max(0, headerNanosLeft),
                    TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException stopping) {
        headerTimer = null;
      }
    }
  }

  private void stopHeaderTimer() {
    synchronized (lock) {
      if (headerTimer != null) {
        headerTimer.cancel(false);
        headerTimer = null;
        headerNanosLeft -= since(headerTimerStart);
      }
    }
  }

  /** What is left of the time for headers after delivery; in nanoseconds, ≥ 0. */
  long headerNanosLeft() {
    synchronized (lock) {
      return Math.max(0, headerNanosLeft);
    }
  }

  private void goOn(NextAttempt next) {
    stopHeaderTimer();
    Optional<ExchangeException> cancelled = cancelCause();
    if (cancelled.isPresent()) {
      listener.onFailure(cancelled.get());
    } else if (next.delay().isZero()) {
      enterGate(next);
    } else {
      try {
        var unused =
            shared
                .timer()
                .schedule(() -> goOn(next.now()), next.delay().toNanos(), TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException stopping) {
        listener.onFailure(new UpstreamException(Kind.CANCELLED, stopping));
      }
    }
  }

  /** One request, one answer. */
  private final class Attempt implements Upstream.Listener {
    private final NextAttempt current;
    private final PermitHold permit;
    private final Optional<SentBody> body;
    private final long sentNanos = shared.nanoTime().getAsLong();
    private @Nullable NextAttempt next;
    private @Nullable ExchangeException failure;
    private Upstream.@Nullable Exchange exchange;

    Attempt(NextAttempt current, PermitHold permit, Optional<SentBody> body) {
      this.current = current;
      this.permit = permit;
      this.body = body;
    }

    void sentAs(Upstream.Exchange sent) {
      synchronized (lock) {
        exchange = sent;
        if (cancelCause == null) {
          return;
        }
      }
      abort();
    }

    void abort() {
      Upstream.Exchange sent;
      synchronized (lock) {
        sent = exchange;
      }
      ExchangeException cause = cancelCause().orElseThrow();
      if (sent != null) {
        sent.abort(cause);
      }
    }

    @Override
    public void onResponse(UpstreamHead head, Content.Source body) {
      shared.metrics().firstByte().record(since(sentNanos));
      NextAttempt.Verdict verdict = withinBudget().after(head, shared.config().maxRedirects());
      next = verdict.next().orElse(null);
      failure = verdict.failure().orElse(null);
      if (verdict.head().isPresent()) {
        deliver(verdict.head().get(), body);
      } else {
        Discard.of(body);
      }
    }

    private void deliver(UpstreamHead head, Content.Source answer) {
      decided();
      FetchBody fetched = new FetchBody(answer, shared).open();
      permit.onHeaders(head.contentLength().orElse(-1), fetched::untakenNanos);
      if (current.isBodyUnwanted()) {
        Discard.of(fetched);
        listener.onResponse(head, FetchBody.empty(shared));
      } else {
        listener.onResponse(head, fetched);
      }
    }

    private void decided() {
      synchronized (lock) {
        isDecided = true;
        stopHeaderTimer();
      }
    }

    private NextAttempt withinBudget() {
      boolean isOver = since(startNanos) > shared.config().resume().budget().toNanos();
      return isOver ? current.withoutRetries() : current;
    }

    @Override
    public void onFailure(ExchangeException cause) {
      Optional<ExchangeException> cancelled = cancelCause();
      if (cancelled.isEmpty()) {
        NextAttempt.Verdict verdict = withinBudget().after(cause);
        next = verdict.next().orElse(null);
        failure = verdict.failure().orElse(null);
      } else {
        failure = cancelled.get();
      }
    }

    @Override
    public void onComplete() {
      permit.release();
      body.ifPresent(SentBody::close);
      if (next != null) {
        if (next.retries() > current.retries()) {
          shared.metrics().retries().increment();
        }
        goOn(next);
      } else if (failure != null) {
        decided();
        listener.onFailure(failure);
      }
    }
  }
}
