package dev.millrace.servlet;

import dev.millrace.hls.TransportStreamStart;
import dev.millrace.proxy.ByteRange;
import dev.millrace.proxy.ProxyParameters;
import dev.millrace.proxy.RangeRequest;
import dev.millrace.proxy.ResponsePlan;
import dev.millrace.proxy.StreamPlanner;
import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.BegunBody;
import dev.millrace.upstream.UpstreamHead;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.eclipse.jetty.io.Content;

/**
 * {@code transformer=ts_stream}: answers with the transport stream that hides behind a picture. The
 * beginning of the body is looked at before anything is sent, so that the length is right; a body
 * that hides nothing is answered as it is. As offsets are the origin's, nobody is served a part.
 */
final class Unwrapping implements BodyStart.Judge, BodyStart.Listener {
  /** What is held of a body while it is looked at. */
  static final int BUFFER_BYTES = TransportStreamStart.MAX_BYTES;

  /** What requests name. */
  static final String ID = "ts_stream";

  /** What is no media at all. */
  private static final Set<String> EXEMPT = Set.of("key", "m3u8", "m3u", "vtt", "webvtt");

  /** Media of other kinds. Players ask for parts of their files, and lists count on them. */
  private static final Set<String> OTHER_MEDIA =
      Set.of("m4s", "mp4", "m4v", "m4a", "cmfv", "cmfa", "aac", "mp3", "ac3", "ec3");

  private final ProxyParameters parameters;
  private final UpstreamHead head;
  private final Errand.Reply reply;
  private final TransportStreamStart start = new TransportStreamStart();
  private OptionalInt cutBytes = OptionalInt.empty();

  private Unwrapping(ProxyParameters parameters, UpstreamHead head, Errand.Reply reply) {
    this.parameters = parameters;
    this.head = head;
    this.reply = reply;
  }

  /** Whether it is asked for, and the names do not say that there can be nothing to unwrap. */
  static boolean isWanted(ProxyParameters parameters, RangeRequest range) {
    boolean isPart = range.range().filter(wanted -> !wanted.equals(ByteRange.ALL)).isPresent();
    return parameters.transformer().filter(ID::equals).isPresent()
        && endings(parameters).noneMatch(EXEMPT::contains)
        && !(isPart && endings(parameters).anyMatch(OTHER_MEDIA::contains));
  }

  /** Of the link, and of what it leads to; empty if there is none. */
  private static Stream<String> endings(ProxyParameters parameters) {
    String path = parameters.destination().path();
    String file = path.substring(path.lastIndexOf('/') + 1);
    int dot = file.lastIndexOf('.');
    return Stream.of(parameters.segmentEnding().orElse(""), dot < 0 ? "" : file.substring(dot + 1))
        .map(ending -> ending.toLowerCase(Locale.ROOT));
  }

  /**
   * Answers, now or when enough of the body is here.
   *
   * @param head of the answer to a request for the whole
   * @throws ExchangeException if the origin refused; the caller fails the body
   */
  static void answer(
      ProxyParameters parameters, UpstreamHead head, Content.Source body, Errand.Reply reply)
      throws ExchangeException {
    boolean isBody = head.status() == 200 || head.status() == 206;
    if (!isBody || head.headers().has("content-encoding")) {
      reply.respond(
          StreamPlanner.plan(parameters, RangeRequest.NONE, head, Optional.empty()), body);
      return;
    }
    Unwrapping unwrapping = new Unwrapping(parameters, head, reply);
    BodyStart.read(body, TransportStreamStart.MAX_BYTES, unwrapping, unwrapping);
  }

  /**
   * The answer without its body, of which nobody knows how long it would be.
   *
   * @throws ExchangeException if the origin refused
   */
  static ResponsePlan planHead(ProxyParameters parameters, UpstreamHead head)
      throws ExchangeException {
    return StreamPlanner.plan(parameters, RangeRequest.NONE, head, Optional.empty())
        .changed(OptionalLong.empty());
  }

  @Override
  public boolean isEnough(ByteBuffer seen, boolean isAll) {
    cutBytes = start.cutBytes(seen, isAll);
    return cutBytes.isPresent();
  }

  @Override
  public void begun(ByteBuffer seen, Content.Source body) {
    try {
      int cut = (cutBytes.isPresent() ? cutBytes : start.cutBytes(seen, true)).orElse(0);
      ResponsePlan plan = plan(cut, seen.slice(seen.position() + cut, seen.remaining() - cut));
      reply.respond(plan, cut == 0 ? body : without(cut, body));
    } catch (ExchangeException | RuntimeException e) { // thrown on, it would be lost
      body.fail(e);
      reply.fail(e);
    }
  }

  private ResponsePlan plan(int cut, ByteBuffer firstBytes) throws ExchangeException {
    if (cut == 0) {
      return StreamPlanner.plan(parameters, RangeRequest.NONE, head, Optional.of(firstBytes))
          .withoutRanges();
    }
    UpstreamHead media =
        new UpstreamHead(
            head.status(), head.headers().with("Content-Type", "video/mp2t"), head.target());
    ResponsePlan whole =
        StreamPlanner.plan(parameters, RangeRequest.NONE, media, Optional.of(firstBytes));
    OptionalLong length = whole.contentLength();
    return whole.changed(
        length.isPresent() ? OptionalLong.of(length.getAsLong() - cut) : OptionalLong.empty());
  }

  /** What was seen is one chunk. */
  private static Content.Source without(int cut, Content.Source body) {
    Content.Chunk first = body.read();
    if (first == null || Content.Chunk.isFailure(first)) {
      return body; // failed meanwhile, and says so again
    }
    first.skip(cut);
    return new BegunBody(first, body);
  }

  @Override
  public void failed(Throwable failure) {
    reply.fail(failure);
  }
}
