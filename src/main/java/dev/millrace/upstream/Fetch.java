package dev.millrace.upstream;

import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.OverBudgetException;
import dev.millrace.upstream.UpstreamException.Kind;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * One request becomes one continuous body, whatever the origin does on the way.
 *
 * <h2>Attempts</h2>
 *
 * A fetch is a chain of attempts, one at a time. Each passes the gate of its origin, sends, and
 * ends in one of three ways: its answer is delivered; its answer is discarded and the next attempt
 * begins once its connection is back in the pool (redirect, short retry, another form of the same
 * question); or the fetch fails. Which one, {@link NextAttempt} decides.
 *
 * <h2>Time</h2>
 *
 * The time for headers runs over all attempts, but not while one of them waits at a gate (which has
 * a limit of its own). After delivery, only silence while bytes are wanted is limited.
 *
 * <h2>Threads</h2>
 *
 * Attempts are serialized by their nature; {@link #cancel} and the timer may come from any thread
 * and only abort the exchange under way, whose end then takes the usual path.
 */
public final class Fetch {
  /** What a fetch comes to: one of the two, once. */
  public interface Listener {
    /**
     * The answer that counts is here.
     *
     * @param head of the answer that delivers the body; after redirects
     * @param body owned by the listener, to be read to its end or failed; for HEAD it is empty
     */
    void onResponse(UpstreamHead head, Content.Source body);

    void onFailure(ExchangeException failure);
  }

  private final Fetcher shared;
  private final UpstreamRequest request;
  private final Listener listener;
  private final Object lock = new Object();
  private @Nullable ExchangeException cancelCause;
  private @Nullable Runnable abort;
  private @Nullable Future<?> headerTimer;
  private long headerNanosLeft;
  private long headerTimerStart;

  Fetch(Fetcher shared, UpstreamRequest request, Listener listener) {
    this.shared = shared;
    this.request = request;
    this.listener = listener;
    this.headerNanosLeft = shared.config().headerTimeout().toNanos();
  }

  void start() {
    enterGate(NextAttempt.first(request));
  }

  /** The body is not wanted any more: closes what is open, fails what is unread. Any thread. */
  public void cancel() {
    cancel(new UpstreamException(Kind.CANCELLED));
  }

  private void cancel(ExchangeException cause) {
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
                send(next, permit);
              } else {
                listener.onFailure(cancelCause().orElseGet(() -> gateFailure(failure)));
              }
            });
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
    startHeaderTimer();
    Attempt attempt = new Attempt(next, new PermitHold(permit, shared.timer()));
    abortBy(attempt::abort);
    attempt.sentAs(shared.upstream().send(next.request(), attempt));
  }

  private void startHeaderTimer() {
    synchronized (lock) {
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
        headerNanosLeft -= shared.nanoTime().getAsLong() - headerTimerStart;
      }
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
    private @Nullable NextAttempt next;
    private @Nullable ExchangeException failure;
    private Upstream.@Nullable Exchange exchange;
    private @Nullable ContinuedBody continued;

    Attempt(NextAttempt current, PermitHold permit) {
      this.current = current;
      this.permit = permit;
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
      ContinuedBody body;
      synchronized (lock) {
        sent = exchange;
        body = continued;
      }
      ExchangeException cause = cancelCause().orElseThrow();
      if (body != null) {
        body.cancel(cause);
      }
      if (sent != null) {
        sent.abort(cause);
      }
    }

    @Override
    public void onResponse(UpstreamHead head, Content.Source body) {
      NextAttempt.Verdict verdict = current.after(head, shared.config());
      next = verdict.next().orElse(null);
      failure = verdict.failure().orElse(null);
      if (verdict.head().isPresent()) {
        deliver(verdict.head().get(), body);
      } else {
        Discard.of(body);
      }
    }

    private void deliver(UpstreamHead head, Content.Source body) {
      stopHeaderTimer();
      FetchBody fetched = new FetchBody(body, shared).open();
      permit.onHeaders(bodyLength(head), fetched::untakenNanos);
      if (current.isBodyUnwanted()) {
        Discard.of(fetched);
        listener.onResponse(head, Content.Source.from(ByteBuffer.allocate(0)));
      } else if (current.isContinuedAfter(head)) {
        ContinuedBody whole = new ContinuedBody(shared, request, head, fetched);
        synchronized (lock) {
          continued = whole;
        }
        cancelCause().ifPresent(whole::cancel);
        listener.onResponse(head, whole);
      } else {
        listener.onResponse(head, fetched);
      }
    }

    @Override
    public void onFailure(ExchangeException cause) {
      Optional<ExchangeException> cancelled = cancelCause();
      if (cancelled.isEmpty()) {
        NextAttempt.Verdict verdict = current.after(cause);
        next = verdict.next().orElse(null);
        failure = verdict.failure().orElse(null);
      } else {
        failure = cancelled.get();
      }
    }

    @Override
    public void onComplete() {
      permit.release();
      if (next != null) {
        goOn(next);
      } else if (failure != null) {
        stopHeaderTimer();
        listener.onFailure(failure);
      }
    }
  }

  private static long bodyLength(UpstreamHead head) {
    return head.headers().first("Content-Length").map(Fetch::number).orElse(-1L);
  }

  private static long number(String digits) {
    try {
      return Long.parseLong(digits.strip());
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
