package dev.millrace.servlet;

import dev.millrace.hls.PlaylistText;
import dev.millrace.proxy.HeaderPolicy;
import dev.millrace.proxy.HlsParameters;
import dev.millrace.proxy.ManifestPlanner;
import dev.millrace.proxy.MediaTypes;
import dev.millrace.proxy.OriginStatusException;
import dev.millrace.proxy.PlaylistRefusedException;
import dev.millrace.proxy.PlaylistSignature;
import dev.millrace.proxy.RangeRequest;
import dev.millrace.proxy.ResponsePlan;
import dev.millrace.proxy.StreamPlanner;
import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.ContentRange;
import dev.millrace.upstream.Fetch;
import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.Fetching;
import dev.millrace.upstream.Target;
import dev.millrace.upstream.UpstreamHead;
import dev.millrace.upstream.UpstreamRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * Brings a playlist with other addresses in it, or whatever else it is that was asked for.
 *
 * <h2>Is it a playlist?</h2>
 *
 * What says so by its address is asked for as a document. All else is asked for as a stream, with
 * the client's range, and is a playlist if its type says so or its first bytes do; if only a part
 * of it has come, or it was asked by HEAD, it is asked for once more, as a document. A HEAD of what
 * could be one is asked as a GET, so that it says what a GET would say.
 *
 * <h2>Memory</h2>
 *
 * A playlist is collected before the first byte is answered, since its beginning depends on its
 * end. It is reserved in a budget of its own, and given back when the exchange is over.
 */
final class ManifestErrand implements Errand {
  private static final ByteBuffer ENDED =
      StandardCharsets.US_ASCII
          .encode(
              """
              #EXTM3U
              #EXT-X-VERSION:3
              #EXT-X-TARGETDURATION:1
              #EXT-X-PLAYLIST-TYPE:VOD
              # Stream offline or unavailable
              #EXT-X-ENDLIST
              """)
          .asReadOnlyBuffer();

  private static final List<String> MEDIA_TYPES = List.of("video/", "audio/", "image/");

  private final HlsServices services;
  private final RouteRequest request;
  private final HlsParameters parameters;
  private final RangeRequest range;
  private final boolean isHead;
  private final TextHold texts;
  private volatile @Nullable Listener listener;
  private volatile Question question;
  private volatile boolean isText;

  /** How the origin is asked. */
  private enum Question {
    /** Anything, by the client's method. */
    STREAM,
    /** Anything, by GET though the client says HEAD. */
    STREAM_BY_GET,
    DOCUMENT
  }

  private ManifestErrand(
      HlsServices services, RouteRequest request, HlsParameters parameters, RangeRequest range) {
    this.services = services;
    this.request = request;
    this.parameters = parameters;
    this.range = range;
    this.isHead = request.isHead();
    this.texts = services.newText();
    this.question = parameters.isPlaylist() ? Question.DOCUMENT : Question.STREAM;
  }

  /**
   * @throws ExchangeException if the range cannot be read
   */
  static ManifestErrand of(HlsServices services, RouteRequest request, HlsParameters parameters)
      throws ExchangeException {
    HttpServletRequest clientRequest = request.clientRequest();
    RangeRequest range =
        parameters.range(
            Optional.ofNullable(clientRequest.getHeader("Range")),
            Optional.ofNullable(clientRequest.getHeader("If-Range")));
    return new ManifestErrand(services, request, parameters, range);
  }

  @Override
  public Target destination() {
    return parameters.stream().destination();
  }

  @Override
  public void begin(Listener hearer) {
    hearer.requestRead();
    listener = hearer;
    ask(question);
  }

  private void ask(Question next) {
    question = next;
    Listener hearer = listener;
    if (hearer != null) {
      hearer.ask(new FetchRequest(upstreamRequest(next), parameters.stream().fallbacks(), false));
    }
  }

  private UpstreamRequest upstreamRequest(Question next) {
    Target target = parameters.playlist();
    var config = services.stream().proxyConfig();
    return next == Question.DOCUMENT
        ? UpstreamRequest.document(target, parameters.documentHeaders(config))
        : new UpstreamRequest(
            isHead && next == Question.STREAM ? "HEAD" : "GET",
            target,
            HeaderPolicy.toUpstream(parameters.stream(), range, config));
  }

  /** Once more, another way; the answer before is done with. */
  private void askAgain(Content.Source before, Question next) {
    before.fail(new IOException("asked again, another way"));
    ask(next);
  }

  @Override
  public Fetching fetch(FetchRequest fetch, Fetch.Listener hearer) {
    return question == Question.DOCUMENT
        ? services.cache().fetch(fetch, hearer)
        : services.stream().fetcher().fetch(fetch, hearer); // kept as media, it could be old
  }

  @Override
  public void answer(UpstreamHead head, Content.Source body, Reply reply) throws ExchangeException {
    if (head.status() < 200 || head.status() >= 300) {
      throw OriginStatusException.of(head);
    }
    boolean isHeadAsked = isHead && question == Question.STREAM;
    if (question == Question.DOCUMENT) {
      if (!isWhole(head)) {
        throw PlaylistRefusedException.part();
      }
      collect(head, body, reply);
    } else if (isPlaylistType(head)) {
      if (isHeadAsked || !isWhole(head)) {
        askAgain(body, Question.DOCUMENT);
      } else {
        collect(head, body, reply);
      }
    } else if (isHeadAsked && mayBePlaylist(head)) {
      askAgain(body, Question.STREAM_BY_GET);
    } else if (isHeadAsked || !beginsAtZero(head)) {
      stream(head, Optional.empty(), body, reply);
    } else {
      BodyStart.read(
          body,
          PlaylistSignature.WINDOW_BYTES,
          ManifestErrand::isDecided,
          new Start(reply) {
            @Override
            void begun(PlaylistSignature signature, ByteBuffer start, Content.Source whole)
                throws ExchangeException {
              sniffed(head, signature, start, whole, reply);
            }
          });
    }
  }

  private static boolean isDecided(ByteBuffer start, boolean isAll) {
    return PlaylistSignature.of(start, isAll) != PlaylistSignature.UNDECIDED;
  }

  private static boolean isPlaylistType(UpstreamHead head) {
    return type(head).contains("mpegurl");
  }

  private static String type(UpstreamHead head) {
    return head.headers().first("Content-Type").orElse("").toLowerCase(Locale.ROOT);
  }

  private static boolean mayBePlaylist(UpstreamHead head) {
    return MEDIA_TYPES.stream().noneMatch(type(head)::startsWith);
  }

  private static boolean beginsAtZero(UpstreamHead head) {
    return !head.headers().has("Content-Encoding")
        && (head.status() != 206
            || ContentRange.of(head).filter(sent -> sent.first() == 0).isPresent());
  }

  private static boolean isWhole(UpstreamHead head) {
    return head.status() != 206
        || ContentRange.of(head)
            .filter(sent -> sent.length() == sent.total().orElse(-1))
            .isPresent();
  }

  private void sniffed(
      UpstreamHead head,
      PlaylistSignature signature,
      ByteBuffer start,
      Content.Source whole,
      Reply reply)
      throws ExchangeException {
    if (signature != PlaylistSignature.PLAYLIST) {
      stream(head, Optional.of(start), whole, reply);
    } else if (isWhole(head)) {
      collect(head, whole, reply);
    } else {
      askAgain(whole, Question.DOCUMENT);
    }
  }

  private void stream(
      UpstreamHead head, Optional<ByteBuffer> start, Content.Source body, Reply reply)
      throws ExchangeException {
    boolean isTyped = MediaTypes.needsFirstBytes(parameters.stream(), range, head);
    ResponsePlan plan =
        StreamPlanner.plan(parameters.stream(), range, head, start.filter(bytes -> isTyped));
    if (isHead && question == Question.STREAM_BY_GET) {
      body.fail(new IOException("only the fields are wanted"));
      reply.respond(plan, PlaylistAnswer.nothing());
    } else {
      reply.respond(plan, body);
    }
  }

  /** What cannot be a playlist is refused from its first bytes. */
  private void collect(UpstreamHead head, Content.Source body, Reply reply) {
    BodyStart.read(
        body,
        PlaylistSignature.WINDOW_BYTES,
        ManifestErrand::isDecided,
        new Start(reply) {
          @Override
          void begun(PlaylistSignature signature, ByteBuffer start, Content.Source whole)
              throws ExchangeException {
            if (signature == PlaylistSignature.PLAYLIST) {
              new CollectedText(
                      whole,
                      texts,
                      PlaylistText.MAX_BYTES,
                      PlaylistRefusedException::tooLarge,
                      answer(head, reply))
                  .run();
            } else if (signature == PlaylistSignature.OTHER
                && !parameters.isForced()
                && MediaTypes.isMedia(head, start)) {
              stream(head, Optional.of(start), whole, reply); // only its name is a playlist's
            } else {
              unusable(signature, whole, reply);
            }
          }
        });
  }

  private PlaylistAnswer answer(UpstreamHead head, Reply reply) {
    isText = true;
    FetchRequest asked = FetchRequest.of(upstreamRequest(Question.DOCUMENT));
    return new PlaylistAnswer(services, request, parameters, asked, head, reply);
  }

  private void unusable(PlaylistSignature signature, Content.Source body, Reply reply)
      throws ExchangeException {
    PlaylistRefusedException refusal =
        switch (signature) {
          case EMPTY -> PlaylistRefusedException.empty();
          case HTML -> PlaylistRefusedException.html();
          case PLAYLIST, OTHER, UNDECIDED -> PlaylistRefusedException.notPlaylist();
        };
    if (!services.config().isGraceful()) {
      throw refusal;
    }
    body.fail(refusal);
    ByteBuffer ended = ENDED.duplicate();
    ResponsePlan plan =
        ManifestPlanner.playlist(parameters, false, true, OptionalLong.of(ended.remaining()));
    reply.respond(plan, isHead ? PlaylistAnswer.nothing() : Content.Source.from(ended));
  }

  /** Hears the beginning of a body, and sees that nothing is lost that goes wrong after it. */
  private abstract static class Start implements BodyStart.Listener {
    private final Reply reply;

    Start(Reply reply) {
      this.reply = reply;
    }

    abstract void begun(PlaylistSignature signature, ByteBuffer start, Content.Source whole)
        throws ExchangeException;

    @Override
    public final void begun(ByteBuffer start, Content.Source whole) {
      boolean isAll = start.remaining() < PlaylistSignature.WINDOW_BYTES;
      try {
        begun(PlaylistSignature.of(start, isAll), start, whole);
      } catch (ExchangeException | RuntimeException e) {
        whole.fail(e);
        reply.fail(e);
      }
    }

    @Override
    public final void failed(Throwable failure) {
      reply.fail(failure);
    }
  }

  @Override
  public Duration patience(Duration ofStreams) {
    boolean isShorter = isText && ofStreams.compareTo(TextHold.PATIENCE) > 0;
    return isShorter ? TextHold.PATIENCE : ofStreams;
  }

  @Override
  public void close() {
    texts.close();
  }
}
