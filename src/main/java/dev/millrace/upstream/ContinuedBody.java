package dev.millrace.upstream;

import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.UpstreamException.Kind;
import java.util.Optional;
import java.util.OptionalLong;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * The whole of a body whose origin hands it out in capped ranges: when one part ends, the next is
 * asked for from the exact next byte, and taken only if it is the same representation.
 *
 * <p>Read by one caller at a time. Between two parts {@link #read} gives nothing, and a demand
 * waits for the next part.
 */
final class ContinuedBody implements Content.Source {
  private final Fetcher shared;
  private final UpstreamRequest request;
  private final Optional<String> entityTag;
  private final long totalBytes;
  private final Object lock = new Object();
  private long position;
  private long partStart;
  private Content.@Nullable Source part;
  private @Nullable Fetch next;
  private @Nullable Runnable demand;
  private @Nullable ExchangeException failure;

  /**
   * @param request asked the origin for everything
   * @param head of the capped answer
   * @param first its body
   */
  ContinuedBody(Fetcher shared, UpstreamRequest request, UpstreamHead head, Content.Source first) {
    this.shared = shared;
    this.request = request;
    this.entityTag = head.headers().first("ETag");
    this.totalBytes = ContentRange.of(head).orElseThrow().total().orElseThrow();
    this.part = first;
  }

  @Override
  public long getLength() {
    return totalBytes;
  }

  @Override
  public Content.@Nullable Chunk read() {
    Content.Source current;
    synchronized (lock) {
      if (failure != null) {
        return Content.Chunk.from(failure);
      }
      current = part;
    }
    if (current == null) {
      return null;
    }
    Content.Chunk chunk = current.read();
    if (chunk == null || Content.Chunk.isFailure(chunk)) {
      return chunk;
    }
    position += chunk.remaining();
    if (!chunk.isLast() || position >= totalBytes) {
      return chunk;
    }
    endOfPart();
    // the chunk is the last of its part, not of the body
    return Content.Chunk.asChunk(chunk.getByteBuffer(), false, chunk);
  }

  private void endOfPart() {
    synchronized (lock) {
      part = null;
    }
    if (position > partStart) {
      partStart = position;
      askForNext();
    } else {
      end(new UpstreamException(Kind.UPSTREAM_CLOSED)); // or an origin could be asked for ever
    }
  }

  private void askForNext() {
    Headers headers = request.headers().with("Range", "bytes=" + position + "-");
    if (entityTag.isPresent() && !entityTag.get().startsWith("W/")) {
      headers = headers.with("If-Range", entityTag.get());
    }
    UpstreamRequest rest = new UpstreamRequest(request.method(), request.target(), headers);
    Fetch fetch = new Fetch(shared, rest, new NextPart(position));
    ExchangeException cancelled;
    synchronized (lock) {
      next = fetch;
      cancelled = failure;
    }
    if (cancelled == null) {
      fetch.start();
    }
  }

  @Override
  public void demand(Runnable demandCallback) {
    Content.Source current;
    synchronized (lock) {
      current = part;
      if (current == null && failure == null) {
        demand = demandCallback;
        return;
      }
    }
    if (current != null) {
      current.demand(demandCallback);
    } else {
      demandCallback.run();
    }
  }

  @Override
  public void fail(Throwable cause) {
    cancel(
        cause instanceof ExchangeException known
            ? known
            : new UpstreamException(Kind.CANCELLED, cause));
  }

  /** Fails the part that is being read or asked for. Any thread. */
  void cancel(ExchangeException cause) {
    Fetch asked;
    Content.Source current;
    synchronized (lock) {
      asked = next;
      current = part;
      failure = failure == null ? cause : failure; // from here on no further part is asked for
    }
    if (current != null) {
      current.fail(cause);
    }
    if (asked != null) {
      asked.cancel();
    }
    end(cause);
  }

  /** Nothing more comes. */
  private void end(ExchangeException cause) {
    Runnable waiting;
    synchronized (lock) {
      if (failure == null) {
        failure = cause;
      }
      waiting = demand;
      demand = null;
    }
    if (waiting != null) {
      waiting.run();
    }
  }

  /** What comes of asking for the bytes from {@code start} on. */
  private final class NextPart implements Fetch.Listener {
    private final long start;

    NextPart(long start) {
      this.start = start;
    }

    @Override
    public void onResponse(UpstreamHead head, Content.Source body) {
      if (!continuesHere(head)) {
        UpstreamException changed = new UpstreamException(Kind.CHANGED_CONTENT);
        body.fail(changed);
        end(changed);
        return;
      }
      Runnable waiting = null;
      ExchangeException cancelled;
      synchronized (lock) {
        cancelled = failure;
        if (cancelled == null) {
          part = body;
          waiting = demand;
          demand = null;
        }
      }
      if (cancelled != null) {
        body.fail(cancelled);
      } else if (waiting != null) {
        body.demand(waiting);
      }
    }

    private boolean continuesHere(UpstreamHead head) {
      OptionalLong expected = OptionalLong.of(totalBytes);
      return head.status() == 206
          && head.headers().first("ETag").equals(entityTag)
          && ContentRange.of(head)
              .filter(range -> range.first() == start && range.total().equals(expected))
              .isPresent();
    }

    @Override
    public void onFailure(ExchangeException cause) {
      end(cause);
    }
  }
}
