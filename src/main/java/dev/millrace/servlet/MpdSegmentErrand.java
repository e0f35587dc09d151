package dev.millrace.servlet;

import dev.millrace.cenc.CencDecryptor;
import dev.millrace.cenc.DecryptionOptions;
import dev.millrace.mp4.InitSegment;
import dev.millrace.proxy.DashSegmentParameters;
import dev.millrace.proxy.DashSegmentParameters.Part;
import dev.millrace.proxy.OriginAnswerException;
import dev.millrace.proxy.ResponsePlan;
import dev.millrace.stream.ExchangeException;
import dev.millrace.ts.TransportStreamMuxer;
import dev.millrace.upstream.Fetch;
import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.Fetching;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.Target;
import dev.millrace.upstream.UpstreamException;
import dev.millrace.upstream.UpstreamException.Kind;
import dev.millrace.upstream.UpstreamHead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * Brings a media segment, clear and with its times shifted, while it passes. Its initialization
 * segment, which says what is to be done, is asked for at the same time.
 *
 * <h2>What is answered when</h2>
 *
 * The response waits for both answers and the first fragment; what fails until then has a status of
 * its own. What fails later breaks the connection.
 *
 * <h2>Threads</h2>
 *
 * The two answers come from threads of their own. Whoever is second goes on; whoever fails first is
 * told, and the other one is given up.
 */
final class MpdSegmentErrand implements Errand, InitFetch.Listener {
  private static final byte[] NOTHING = new byte[0];

  /** A status and a text that players skip a segment for. */
  private static final byte[] UNAVAILABLE =
      "Segment unavailable".getBytes(StandardCharsets.US_ASCII);

  private final ClearMediaServices services;
  private final DashSegmentParameters parameters;
  private final ClearMediaAnswer answer;
  private final Part media;
  private final TextHold memory;
  private final TextHold muxerMemory;

  private @Nullable Listener listener;
  private @Nullable Fetching mediaFetching;
  private @Nullable Fetching initFetching;
  private @Nullable MediaAnswer answered;
  private @Nullable FetchedInit init;
  private boolean isCancelled;
  private State state = State.OPEN;

  private enum State {
    OPEN,
    /** The media is on its way to the client. */
    ANSWERED,
    /** The client is told of a failure; nothing is wanted any more. */
    GIVEN_UP
  }

  /** The origin's answer for the media, and who is told. */
  private record MediaAnswer(UpstreamHead head, Content.Source body, Reply reply) {}

  MpdSegmentErrand(
      ClearMediaServices services, DashSegmentParameters parameters, ClearMediaAnswer answer) {
    this.services = services;
    this.parameters = parameters;
    this.answer = answer;
    this.media = parameters.media().orElseThrow();
    this.memory = services.newHold();
    this.muxerMemory = services.newHold();
  }

  @Override
  public Target destination() {
    return media.address();
  }

  /** Nothing of it is needed if the player has it and nothing is to be done. */
  private boolean needsInit() {
    return parameters.initialization().isPresent()
        && !(parameters.isPlain() && parameters.usesMap());
  }

  @Override
  public void begin(Listener hearer) {
    synchronized (this) {
      listener = hearer;
    }
    hearer.requestRead();
    if (needsInit()) {
      Part part = parameters.initialization().orElseThrow();
      Fetching started =
          services
              .source()
              .fetch(
                  InitErrand.request(services, parameters, part),
                  new InitFetch(part, memory, this));
      keep(started, true);
    }
    if (!isGivenUp()) {
      hearer.ask(InitErrand.request(services, parameters, media));
    }
  }

  /** What is not wanted any more by now is given up at once. */
  private void keep(Fetching started, boolean isInit) {
    boolean isUnwanted;
    synchronized (this) {
      if (isInit) {
        initFetching = started;
      } else {
        mediaFetching = started;
      }
      isUnwanted = isCancelled || state == State.GIVEN_UP;
    }
    if (isUnwanted) {
      started.cancel();
    }
  }

  @Override
  public Fetching fetch(FetchRequest request, Fetch.Listener hearer) {
    Fetching started = services.source().fetch(request, new MediaListener(hearer));
    keep(started, false);
    return started;
  }

  private synchronized boolean isGivenUp() {
    return state == State.GIVEN_UP;
  }

  /** Whether the caller is the one who tells the client. */
  private synchronized boolean settle(State ending) {
    boolean isFirst = state == State.OPEN;
    state = isFirst ? ending : state;
    return isFirst;
  }

  /** Hears what becomes of the media; what cannot be had of it is an answer like any other. */
  private final class MediaListener implements Fetch.Listener {
    private final Fetch.Listener hearer;

    MediaListener(Fetch.Listener hearer) {
      this.hearer = hearer;
    }

    @Override
    public void onResponse(UpstreamHead head, Content.Source body) {
      hearer.onResponse(head, body);
    }

    @Override
    public void onFailure(ExchangeException failure) {
      if (isOfOrigin(failure)) {
        onResponse(
            new UpstreamHead(failure.status(), Headers.EMPTY, media.address()),
            PlaylistAnswer.nothing());
      } else if (settle(State.GIVEN_UP)) {
        cancel(initFetching());
        hearer.onFailure(failure);
      }
    }
  }

  /** Whether it is the origin that has not brought the media, rather than what was brought. */
  private static boolean isOfOrigin(Throwable failure) {
    if (failure instanceof UpstreamException known) {
      return known.hop() == ExchangeException.Hop.ORIGIN && known.kind() != Kind.CANCELLED;
    }
    return failure instanceof IOException && !(failure instanceof ExchangeException);
  }

  @Override
  public void answer(UpstreamHead head, Content.Source body, Reply reply) {
    if (head.status() != 200 && head.status() != 206) {
      body.fail(new IOException("refused"));
      unavailable(reply);
      return;
    }
    MediaAnswer arrived = new MediaAnswer(head, body, reply);
    FetchedInit known;
    synchronized (this) {
      if (state != State.OPEN) {
        known = null;
      } else {
        answered = arrived;
        known = init;
      }
    }
    if (isGivenUp()) {
      body.fail(new IOException("given up"));
    } else if (known != null || !needsInit()) {
      proceed(arrived, known);
    }
  }

  @Override
  public void initFetched(UpstreamHead head, FetchedInit fetched) {
    MediaAnswer waiting;
    synchronized (this) {
      init = fetched;
      waiting = answered;
    }
    if (waiting != null) {
      proceed(waiting, fetched);
    }
  }

  @Override
  public void initFailed(Throwable failure) {
    if (!settle(State.GIVEN_UP)) {
      return;
    }
    MediaAnswer waiting;
    Listener hearer;
    synchronized (this) {
      waiting = answered;
      hearer = listener;
    }
    cancel(mediaFetching());
    if (waiting != null) {
      waiting.body().fail(failure);
      waiting.reply().fail(failure);
    } else if (hearer != null) {
      hearer.fail(failure);
    }
  }

  private void unavailable(Reply reply) {
    if (!settle(State.GIVEN_UP)) {
      return;
    }
    cancel(initFetching());
    Headers headers =
        ResponsePlan.SAFETY
            .with("Content-Type", "text/plain; charset=utf-8")
            .with("Cache-Control", "no-store");
    ResponsePlan plan = new ResponsePlan(404, headers, OptionalLong.of(UNAVAILABLE.length));
    reply.respond(
        plan,
        answer.isHead()
            ? PlaylistAnswer.nothing()
            : Content.Source.from(ByteBuffer.wrap(UNAVAILABLE).asReadOnlyBuffer()));
  }

  /** Both are here. */
  private void proceed(MediaAnswer arrived, @Nullable FetchedInit known) {
    try {
      AskedPart part = AskedPart.of(media, arrived.head(), arrived.body());
      Passage passage = new Passage(arrived, part.length(), known);
      if (known == null || parameters.usesMap() || parameters.isTransportStream()) {
        passage.begin(part.body(), true);
      } else {
        SelfInitializing judge = new SelfInitializing();
        BodyStart.read(part.body(), SelfInitializing.WINDOW_BYTES, judge, passage);
      }
    } catch (ExchangeException | RuntimeException e) { // thrown on, it would be lost
      failed(arrived, e);
    }
  }

  private void failed(MediaAnswer arrived, Throwable failure) {
    arrived.body().fail(failure);
    if (isOfOrigin(failure)) {
      unavailable(arrived.reply());
    } else if (settle(State.GIVEN_UP)) {
      arrived.reply().fail(failure);
    }
  }

  /** The media on its way from the origin to the response. */
  private final class Passage implements BodyStart.Listener {
    private final MediaAnswer arrived;
    private final OptionalLong mediaLength;
    private final @Nullable FetchedInit known;

    Passage(MediaAnswer arrived, OptionalLong mediaLength, @Nullable FetchedInit known) {
      this.arrived = arrived;
      this.mediaLength = mediaLength;
      this.known = known;
    }

    @Override
    public void begun(ByteBuffer start, Content.Source body) {
      try {
        begin(body, SelfInitializing.is(start));
      } catch (ExchangeException | RuntimeException e) { // thrown on, it would be lost
        body.fail(e);
        MpdSegmentErrand.this.failed(arrived, e);
      }
    }

    @Override
    public void failed(Throwable failure) {
      MpdSegmentErrand.this.failed(arrived, failure);
    }

    void begin(Content.Source body, boolean isAlone) throws ExchangeException {
      byte[] prefix = isAlone || known == null ? NOTHING : InitErrand.clear(parameters, known);
      boolean isChanged = !parameters.isPlain() || prefix.length > 0;
      if (isChanged && arrived.head().headers().has("Content-Encoding")) {
        throw OriginAnswerException.coded();
      }
      Content.Source clear = parameters.isPlain() ? body : decrypted(body);
      if (parameters.isTransportStream()) {
        BodyStart.readFirst(muxed(clear), new FirstBytes(OptionalLong.empty(), NOTHING));
        return;
      }
      OptionalLong length =
          mediaLength.isPresent()
              ? OptionalLong.of(mediaLength.getAsLong() + prefix.length)
              : mediaLength;
      BodyStart.readFirst(clear, new FirstBytes(length, prefix));
    }

    private Content.Source muxed(Content.Source clear) throws ExchangeException {
      InitSegment tracks = known == null ? InitSegment.EMPTY : known.tracks();
      if (parameters.keys().ring().isEmpty() && tracks.isProtected()) {
        throw TransportStreamMuxer.encrypted();
      }
      return new TransportStreamBody(clear, new TransportStreamMuxer(tracks), muxerMemory);
    }

    private Content.Source decrypted(Content.Source body) throws ExchangeException {
      InitSegment tracks = known == null ? InitSegment.EMPTY : known.tracks();
      int reserved = known == null ? 0 : 2 * known.bytes().length;
      CencDecryptor decryptor =
          new CencDecryptor(
              options(),
              tracks,
              services.ciphers(),
              bytes -> memory.reserve((int) Math.min(Integer.MAX_VALUE, reserved + bytes)));
      return new DecryptedBody(body, decryptor, memory, reserved);
    }

    /** There is something to send, and nothing has failed so far. */
    private final class FirstBytes implements BodyStart.Listener {
      private final OptionalLong length;
      private final byte[] prefix;

      FirstBytes(OptionalLong length, byte[] prefix) {
        this.length = length;
        this.prefix = prefix;
      }

      @Override
      public void begun(ByteBuffer start, Content.Source body) {
        if (!settle(State.ANSWERED)) {
          body.fail(new IOException("given up"));
          return;
        }
        try {
          answer.respond(arrived.head(), length, prefix, body, arrived.reply());
        } catch (ExchangeException | RuntimeException e) { // thrown on, it would be lost
          body.fail(e);
          arrived.reply().fail(e); // 416
        }
      }

      @Override
      public void failed(Throwable failure) {
        MpdSegmentErrand.this.failed(arrived, failure);
      }
    }
  }

  private DecryptionOptions options() {
    return new DecryptionOptions(
        parameters.keys().ring(),
        media.startOffset(),
        parameters.usesMap(),
        false,
        false,
        false,
        parameters.shift());
  }

  private synchronized @Nullable Fetching mediaFetching() {
    return mediaFetching;
  }

  private synchronized @Nullable Fetching initFetching() {
    return initFetching;
  }

  private static void cancel(@Nullable Fetching running) {
    if (running != null) {
      running.cancel();
    }
  }

  @Override
  public void cancel(ExchangeException cause) {
    synchronized (this) {
      isCancelled = true;
    }
    cancel(initFetching());
  }

  /** The answer may be given before the initialization segment is here, or without it. */
  @Override
  public void close() {
    cancel(initFetching());
    memory.close();
    muxerMemory.close();
  }
}
