package dev.millrace.cache;

import dev.millrace.stream.ExchangeException;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.upstream.Fetch;
import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.Fetching;
import dev.millrace.upstream.UpstreamHead;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/** Reads a body as fast as it comes, unless it is told to pause. One thread at a time reads. */
final class Viewer implements Fetch.Listener {
  private final AtomicInteger count = new AtomicInteger();
  private volatile boolean isWrong;
  private @Nullable Fetching fetching;
  private volatile @Nullable UpstreamHead head;
  private volatile Content.@Nullable Source body;
  private volatile @Nullable Throwable failure;
  private volatile boolean isEnded;
  private volatile boolean isPaused;
  private final AtomicInteger told = new AtomicInteger();
  private Content.@Nullable Chunk held;

  static Viewer of(Fetching.Source source, FetchRequest request) {
    Viewer viewer = new Viewer();
    viewer.fetching = source.fetch(request, viewer);
    return viewer;
  }

  /** Takes nothing before {@link #resume}. */
  static Viewer paused(Fetching.Source source, FetchRequest request) {
    Viewer viewer = new Viewer();
    viewer.isPaused = true;
    viewer.fetching = source.fetch(request, viewer);
    return viewer;
  }

  void leave() {
    if (fetching != null) {
      fetching.cancel();
    }
  }

  void resume() {
    isPaused = false;
    read();
  }

  /** Takes one chunk and keeps it, as a write that does not end. */
  void hold() {
    if (body != null) {
      held = body.read();
    }
  }

  void letGo() {
    if (held != null) {
      held.release();
      held = null;
    }
  }

  @Nullable UpstreamHead head() {
    return head;
  }

  @Nullable Throwable failure() {
    return failure;
  }

  boolean isEnded() {
    return isEnded;
  }

  /** How often the listener was told something. */
  int told() {
    return told.get();
  }

  int count() {
    return count.get();
  }

  /** Whether a byte was not the one of {@link OffsetBytes} at its place. */
  boolean isWrong() {
    return isWrong;
  }

  /** Whether it has these bytes of {@link OffsetBytes} and the end. */
  boolean hasAll(int length) {
    return isEnded && !isWrong && count() == length;
  }

  @Override
  public void onResponse(UpstreamHead answer, Content.Source content) {
    told.incrementAndGet();
    head = answer;
    body = content;
    read();
  }

  @Override
  public void onFailure(ExchangeException why) {
    told.incrementAndGet();
    failure = why;
  }

  private void read() {
    Content.Source from = body;
    while (from != null && !isPaused && !isEnded && failure == null) {
      Content.Chunk chunk = from.read();
      if (chunk == null) {
        from.demand(this::read);
        return;
      }
      take(chunk);
    }
  }

  private void take(Content.Chunk chunk) {
    if (Content.Chunk.isFailure(chunk)) {
      failure = chunk.getFailure();
      return;
    }
    byte[] copy = new byte[chunk.remaining()];
    chunk.getByteBuffer().get(copy);
    int from = count.getAndAdd(copy.length);
    isWrong |= !Arrays.equals(copy, OffsetBytes.range(from, from + copy.length));
    isEnded = chunk.isLast();
    chunk.release();
  }
}
