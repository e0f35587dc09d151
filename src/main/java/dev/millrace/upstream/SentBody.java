package dev.millrace.upstream;

import dev.millrace.stream.WaitTimer;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * The content of a request on its way, with an eye on the origin: how long it may take nothing is
 * limited, and when all has been taken is told. How long content may take to come is the source's
 * own affair.
 */
final class SentBody implements Content.Source {
  private final Content.Source source;
  private final WaitTimer silence;
  private final Runnable taken;

  /**
   * @param stalled runs once if the origin takes nothing for too long; must not block
   * @param taken runs when the last chunk is taken
   */
  SentBody(Content.Source source, Fetcher shared, Runnable stalled, Runnable taken) {
    this.source = source;
    this.taken = taken;
    this.silence =
        new WaitTimer(shared.timer(), shared.nanoTime(), shared.config().idleTimeout(), stalled);
  }

  /** Begins to watch: the first chunk is waited for already. */
  SentBody open() {
    silence.start();
    silence.open();
    return this;
  }

  /** Nothing of it is wanted any more, or all is over. */
  void close() {
    silence.close();
  }

  @Override
  public long getLength() {
    return source.getLength();
  }

  @Override
  public Content.@Nullable Chunk read() {
    silence.stop();
    Content.Chunk chunk = source.read();
    if (chunk == null || Content.Chunk.isFailure(chunk)) {
      return chunk;
    }
    if (chunk.isLast()) {
      silence.close();
      taken.run();
    } else {
      silence.start();
    }
    return chunk;
  }

  @Override
  public void demand(Runnable demandCallback) {
    source.demand(demandCallback);
  }

  @Override
  public void fail(Throwable failure) {
    silence.close();
    source.fail(failure);
  }
}
