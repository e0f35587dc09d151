package dev.millrace.upstream;

import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.UpstreamException.Kind;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * One request becomes one continuous body, whatever the origin does on the way.
 *
 * <h2>Sources</h2>
 *
 * Sources are asked in turn, each as {@link Attempts} does, until one delivers. As long as there is
 * a further one, a source has not delivered before the first byte of its body is here, and a status
 * of 400 or more (but 416, which the next would say too) is a failure. What the last one says is
 * the answer. From the first byte on, {@link ContinuedBody} keeps the body going.
 *
 * <h2>Time</h2>
 *
 * Headers, and with further sources left the first byte too, have the header time-out per source;
 * over all sources at most that many times as much. Waits at gates and the pauses before retries
 * have limits of their own and are not counted.
 *
 * <h2>Threads</h2>
 *
 * {@link #cancel} may come from any thread; everything else is serialized by its nature.
 */
public final class Fetch implements Fetching {
  private static final int BAD_REQUEST = 400;
  private static final int RANGE_NOT_SATISFIABLE = 416;

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
  private final FetchRequest request;
  private final Listener listener;
  private final Object lock = new Object();
  private @Nullable ExchangeException cancelCause;
  private @Nullable Attempts asked;
  private Content.@Nullable Source body;

  Fetch(Fetcher shared, FetchRequest request, Listener listener) {
    this.shared = shared;
    this.request = request;
    this.listener = listener;
  }

  void start() {
    ask(0);
  }

  /** Closes what is open, fails what is unread. */
  @Override
  public void cancel() {
    UpstreamException cause = new UpstreamException(Kind.CANCELLED);
    Attempts running;
    Content.Source unread;
    synchronized (lock) {
      if (cancelCause != null) {
        return;
      }
      cancelCause = cause;
      running = asked;
      unread = body;
    }
    if (unread != null) {
      unread.fail(cause);
    }
    if (running != null) {
      running.cancel(cause);
    }
  }

  private @Nullable ExchangeException cancelCause() {
    synchronized (lock) {
      return cancelCause;
    }
  }

  private void ask(int number) {
    NextAttempt first =
        NextAttempt.first(request.first(), request.source(number), shared.config().resume());
    Source source = new Source(number);
    Attempts attempts = new Attempts(shared, first, source);
    source.attempts = attempts;
    ExchangeException cancelled;
    synchronized (lock) {
      asked = attempts;
      body = null;
      cancelled = cancelCause;
    }
    if (cancelled != null) {
      listener.onFailure(cancelled);
    } else {
      attempts.start();
    }
  }

  /** One source, asked until it has delivered or failed. */
  private final class Source implements Attempts.Listener {
    private final int number;
    private @Nullable Attempts attempts;
    private @Nullable Future<?> firstByteTimer;

    Source(int number) {
      this.number = number;
    }

    @Override
    public void onFailure(ExchangeException failure) {
      ExchangeException cancelled = cancelCause();
      if (cancelled != null || isLast()) {
        listener.onFailure(cancelled != null ? cancelled : failure);
      } else {
        shared.metrics().fallbacks().increment();
        ask(number + 1);
      }
    }

    private boolean isLast() {
      return number == request.sources() - 1;
    }

    @Override
    public void onResponse(UpstreamHead head, FetchBody answer) {
      int status = head.status();
      if (isLast()) {
        deliver(head, answer, answer.isDecoded());
      } else if (status >= BAD_REQUEST && status != RANGE_NOT_SATISFIABLE) {
        UpstreamException refused = new UpstreamException(Kind.BAD_RESPONSE);
        answer.fail(refused);
        onFailure(refused);
      } else {
        hold(answer);
        startFirstByteTimer(answer);
        awaitFirstByte(head, answer);
      }
    }

    private void startFirstByteTimer(FetchBody answer) {
      long nanos = attempts == null ? 0 : attempts.headerNanosLeft();
      try {
        firstByteTimer =
            shared
                .timer()
                .schedule(
                    () -> answer.fail(new UpstreamException(Kind.UPSTREAM_TIMEOUT)),
                    nanos,
                    TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException stopping) {
        firstByteTimer = null; // silence is limited all the same
      }
    }

    private void awaitFirstByte(UpstreamHead head, FetchBody answer) {
      Content.Chunk chunk = answer.read();
      while (chunk != null && !chunk.hasRemaining() && !chunk.isLast()) {
        chunk.release();
        chunk = answer.read();
      }
      if (chunk == null) {
        answer.demand(() -> awaitFirstByte(head, answer));
        return;
      }
      if (firstByteTimer != null) {
        firstByteTimer.cancel(false);
      }
      if (Content.Chunk.isFailure(chunk)) {
        UpstreamException closed = new UpstreamException(Kind.UPSTREAM_CLOSED, chunk.getFailure());
        onFailure(chunk.getFailure() instanceof ExchangeException known ? known : closed);
      } else {
        deliver(head, new BegunBody(chunk, answer), answer.isDecoded());
      }
    }

    private void deliver(UpstreamHead head, Content.Source answer, boolean isDecoded) {
      Content.Source whole = answer;
      if (request.first().method().equals("GET") && !request.first().isForwarded()) {
        whole =
            Continuation.of(request, head, isDecoded)
                .<Content.Source>map(
                    continuation ->
                        new ContinuedBody(shared, request, number, continuation, answer))
                .orElse(answer);
      }
      hold(whole);
      listener.onResponse(head, whole);
    }
  }

  /** Says what {@link #cancel} has to fail from now on; fails it at once if that was too late. */
  private void hold(Content.Source unread) {
    ExchangeException cancelled;
    synchronized (lock) {
      body = unread;
      cancelled = cancelCause;
    }
    if (cancelled != null) {
      unread.fail(cancelled);
    }
  }
}
