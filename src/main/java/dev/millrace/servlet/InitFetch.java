package dev.millrace.servlet;

import dev.millrace.cenc.CencDecryptor;
import dev.millrace.proxy.DashSegmentParameters.Part;
import dev.millrace.proxy.OriginAnswerException;
import dev.millrace.proxy.OriginStatusException;
import dev.millrace.stream.ByteBuilder;
import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.MediaFormatException;
import dev.millrace.upstream.Fetch;
import dev.millrace.upstream.UpstreamException;
import dev.millrace.upstream.UpstreamException.Kind;
import dev.millrace.upstream.UpstreamHead;
import org.eclipse.jetty.io.Content;

/** Takes an initialization segment, at most 8 MiB, into memory that is reserved as it grows. */
final class InitFetch implements Fetch.Listener {
  /** Longer ones are refused. */
  static final int MAX_BYTES = CencDecryptor.MAX_MOOV_BYTES;

  /** Hears one of the two, once. */
  interface Listener {
    void initFetched(UpstreamHead head, FetchedInit init);

    /** What was begun of it is given up. */
    void initFailed(Throwable failure);
  }

  private final Part part;
  private final TextHold memory;
  private final Listener listener;

  /**
   * @param memory of whoever keeps it, who gives it back
   */
  InitFetch(Part part, TextHold memory, Listener listener) {
    this.part = part;
    this.memory = memory;
    this.listener = listener;
  }

  @Override
  public void onResponse(UpstreamHead head, Content.Source body) {
    try {
      if (head.status() != 200 && head.status() != 206) {
        throw OriginAnswerException.noInit(
            String.valueOf(OriginStatusException.of(head).getMessage()));
      }
      new Collecting(head, AskedPart.of(part, head, body).body()).run();
    } catch (ExchangeException | RuntimeException e) {
      body.fail(e);
      listener.initFailed(e);
    }
  }

  @Override
  public void onFailure(ExchangeException failure) {
    listener.initFailed(told(failure));
  }

  /** What is wrong with the origin is said of the initialization segment. */
  static ExchangeException told(ExchangeException failure) {
    boolean isOfOrigin =
        failure instanceof UpstreamException known
            && known.hop() == ExchangeException.Hop.ORIGIN
            && known.kind() != Kind.CANCELLED;
    return isOfOrigin
        ? OriginAnswerException.noInit(String.valueOf(failure.getMessage()))
        : failure;
  }

  /** Its bytes, as they come. */
  private final class Collecting extends BodyReading {
    private static final int FIRST_ROOM = 4 << 10;

    private final UpstreamHead head;
    private final ByteBuilder collected = new ByteBuilder(FIRST_ROOM);

    Collecting(UpstreamHead head, Content.Source body) {
      super(body);
      this.head = head;
    }

    @Override
    boolean take(Content.Chunk chunk) {
      try {
        collect(chunk);
      } catch (ExchangeException e) {
        body().fail(e);
        listener.initFailed(e);
        return true;
      } finally {
        chunk.release();
      }
      if (chunk.isLast()) {
        listener.initFetched(head, new FetchedInit(collected.toByteArray()));
      }
      return chunk.isLast();
    }

    /** Twice: it is made clear in a copy. */
    private void collect(Content.Chunk chunk) throws ExchangeException {
      int length = collected.length() + chunk.remaining();
      if (length > MAX_BYTES) {
        throw MediaFormatException.unsupported(
            "The initialization segment is longer than " + (MAX_BYTES >> 20) + " MiB.");
      }
      memory.reserve(2 * length);
      collected.append(chunk.getByteBuffer());
    }

    @Override
    void failed(Throwable failure) {
      listener.initFailed(
          failure instanceof ExchangeException known
              ? told(known)
              : told(new UpstreamException(Kind.UPSTREAM_CLOSED, failure)));
    }
  }
}
