package dev.millrace.cache;

import dev.millrace.upstream.Fetch;
import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.Fetching;
import org.jspecify.annotations.Nullable;

/**
 * One request for a body, whichever way it is answered: what its cancelling reaches may change
 * until the answer has begun.
 */
final class Ticket implements Fetching {
  private final FetchRequest request;
  private final Fetch.Listener listener;
  private @Nullable Fetching current;
  private boolean isCancelled;

  Ticket(FetchRequest request, Fetch.Listener listener) {
    this.request = request;
    this.listener = listener;
  }

  FetchRequest request() {
    return request;
  }

  Fetch.Listener listener() {
    return listener;
  }

  /** What brings the answer from now on. */
  void follow(Fetching next) {
    boolean isTooLate;
    synchronized (this) {
      current = next;
      isTooLate = isCancelled;
    }
    if (isTooLate) {
      next.cancel();
    }
  }

  @Override
  public void cancel() {
    Fetching running;
    synchronized (this) {
      isCancelled = true;
      running = current;
    }
    if (running != null) {
      running.cancel();
    }
  }
}
