package dev.millrace.upstream;

import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.WaitTimer;
import dev.millrace.upstream.UpstreamException.Kind;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * The body of one answer, with an eye on both sides: an origin that is silent while bytes are
 * wanted fails the body; and how long its reader has taken nothing can be asked.
 */
final class FetchBody implements Content.Source {
  private static final long NOTHING_TO_TAKE = Long.MIN_VALUE;

  private final Content.Source source;
  private final Fetcher shared;
  private final WaitTimer silence;
  private volatile long untakenSince;

  FetchBody(Content.Source source, Fetcher shared) {
    this.source = source;
    this.shared = shared;
    this.untakenSince = shared.nanoTime().getAsLong();
    this.silence =
        new WaitTimer(
            shared.timer(),
            shared.nanoTime(),
            shared.config().idleTimeout(),
            () -> source.fail(new UpstreamException(Kind.UPSTREAM_IDLE)));
  }

  /** A body without a byte. */
  static FetchBody empty(Fetcher shared) {
    return new FetchBody(Content.Source.from(ByteBuffer.allocate(0)), shared);
  }

  /** Whether its bytes are not those that the origin sent, so that ranges do not fit them. */
  boolean isDecoded() {
    return source instanceof DecodedBody;
  }

  /** Begins to watch the origin. */
  FetchBody open() {
    silence.open();
    return this;
  }

  /** For how long the reader has neither read nor demanded, in nanoseconds. */
  long untakenNanos() {
    long since = untakenSince;
    return since == NOTHING_TO_TAKE ? 0 : shared.nanoTime().getAsLong() - since;
  }

  @Override
  public long getLength() {
    return source.getLength();
  }

  @Override
  public Content.@Nullable Chunk read() {
    silence.stop();
    Content.Chunk chunk = source.read();
    untakenSince = chunk == null ? NOTHING_TO_TAKE : shared.nanoTime().getAsLong();
    if (chunk != null && chunk.isLast()) {
      silence.close();
    }
    return Content.Chunk.isFailure(chunk) ? Content.Chunk.from(known(chunk.getFailure())) : chunk;
  }

  private static ExchangeException known(Throwable failure) {
    return failure instanceof ExchangeException exchange
        ? exchange
        : new UpstreamException(Kind.UPSTREAM_CLOSED, failure);
  }

  @Override
  public void demand(Runnable demandCallback) {
    silence.start();
    source.demand(demandCallback);
  }

  @Override
  public void fail(Throwable failure) {
    silence.close();
    source.fail(failure);
  }
}
