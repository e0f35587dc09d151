package dev.millrace.servlet;

import dev.millrace.hls.Aes128Decryptor;
import dev.millrace.hls.TransportStreamCut;
import dev.millrace.proxy.OriginAnswerException;
import dev.millrace.proxy.ProxyParameters;
import dev.millrace.proxy.RangeRequest;
import dev.millrace.proxy.SegmentDecryption;
import dev.millrace.proxy.StreamPlanner;
import dev.millrace.stream.ByteSink;
import dev.millrace.stream.ByteTransform;
import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.ContentRange;
import dev.millrace.upstream.Fetch;
import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.Fetching;
import dev.millrace.upstream.Target;
import dev.millrace.upstream.UpstreamHead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * Brings a segment that is encrypted with AES-128, clear: first its key, with the same fields and
 * from the same place, then the segment, decrypted while it passes. How long it will be is known
 * only at its end, so there is no length and no part of it.
 */
final class ClearSegmentErrand implements Errand, KeyFetch.Listener {
  private final Fetching.Source source;
  private final ProxyParameters parameters;
  private final SegmentDecryption decryption;
  private final FetchRequest segment;
  private final FetchRequest key;
  private final boolean isHead;
  private final boolean isUnwrapped;
  private volatile @Nullable Listener listener;
  private volatile @Nullable Fetching keyFetching;
  private volatile boolean isCancelled;
  private volatile @Nullable Aes128Decryptor decryptor;

  /**
   * @param source where the key and the segment come from
   * @param method GET or HEAD
   */
  ClearSegmentErrand(
      StreamServices services,
      Fetching.Source source,
      String method,
      ProxyParameters parameters,
      SegmentDecryption decryption) {
    this.source = source;
    this.parameters = parameters;
    this.decryption = decryption;
    this.isHead = method.equals("HEAD");
    this.isUnwrapped = Unwrapping.isWanted(parameters, RangeRequest.NONE);
    this.segment = StreamErrand.request(services, method, parameters, decryption.rangeRequest());
    this.key = StreamErrand.keyRequest(services, parameters.to(decryption.key()));
  }

  @Override
  public Target destination() {
    return parameters.destination();
  }

  @Override
  public long bufferBytes() {
    return (long) StreamServices.BUFFER_BYTES + (isUnwrapped ? Unwrapping.BUFFER_BYTES : 0);
  }

  @Override
  public Optional<ByteTransform> transform() {
    return isHead
        ? Optional.empty()
        : Optional.of(
            new Decryption(isUnwrapped ? Optional.of(new TransportStreamCut()) : Optional.empty()));
  }

  @Override
  public void begin(Listener hearer) {
    listener = hearer;
    hearer.requestRead();
    if (isHead) {
      hearer.ask(segment);
      return;
    }
    Fetching started = source.fetch(key, new KeyFetch(parameters.to(decryption.key()), this));
    keyFetching = started;
    if (isCancelled) {
      started.cancel();
    }
  }

  @Override
  public void keyFetched(byte[] fetched) {
    decryptor = Aes128Decryptor.of(fetched, decryption.iv());
    Arrays.fill(fetched, (byte) 0);
    Listener hearer = listener;
    if (hearer != null) {
      hearer.ask(segment); // cancelled meanwhile, it is told so there
    }
  }

  @Override
  public void keyFailed(Throwable failure) {
    Listener hearer = listener;
    if (hearer != null) {
      hearer.fail(failure);
    }
  }

  @Override
  public Fetching fetch(FetchRequest request, Fetch.Listener hearer) {
    return source.fetch(request, hearer);
  }

  @Override
  public void answer(UpstreamHead head, Content.Source body, Reply reply) throws ExchangeException {
    boolean isSegment =
        decryption.range().isEmpty()
            || isHead // some ignore ranges there
            || head.status() >= 300
            || (head.status() == 206
                && ContentRange.of(head).filter(decryption::isSegment).isPresent());
    if (!isSegment) {
      throw OriginAnswerException.badRange();
    }
    reply.respond(
        StreamPlanner.plan(parameters, decryption.rangeRequest(), head, Optional.empty())
            .changed(OptionalLong.empty()),
        body);
  }

  @Override
  public void cancel(ExchangeException cause) {
    isCancelled = true;
    Fetching running = keyFetching;
    if (running != null) {
      running.cancel();
    }
  }

  /** The decryptor, once there is a key; what it makes is cut if that is asked for. */
  private final class Decryption implements ByteTransform {
    private final Optional<TransportStreamCut> cut;

    Decryption(Optional<TransportStreamCut> cut) {
      this.cut = cut;
    }

    @Override
    public void accept(ByteBuffer input, ByteSink out) throws IOException {
      keyed().accept(input, cutting(out));
    }

    @Override
    public void finish(ByteSink out) throws IOException {
      keyed().finish(cutting(out));
      if (cut.isPresent()) {
        cut.get().finish(out);
      }
    }

    private Aes128Decryptor keyed() {
      Aes128Decryptor running = decryptor;
      if (running == null) {
        throw new IllegalStateException("a segment without a key");
      }
      return running;
    }

    private ByteSink cutting(ByteSink out) {
      return cut.isPresent() ? clear -> cut.get().accept(clear, out) : out;
    }

    @Override
    public void close() {}
  }
}
