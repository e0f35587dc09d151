package dev.millrace.servlet;

import dev.millrace.dash.MpdReader;
import dev.millrace.proxy.DashParameters;
import dev.millrace.proxy.OriginStatusException;
import dev.millrace.proxy.PlaylistRefusedException;
import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.MediaFormatException;
import dev.millrace.upstream.ContentRange;
import dev.millrace.upstream.Fetch;
import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.Fetching;
import dev.millrace.upstream.Target;
import dev.millrace.upstream.UpstreamHead;
import dev.millrace.upstream.UpstreamRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * Brings a presentation as an HLS playlist: fetches the MPD, shared with whoever else asks for it,
 * and has {@link MpdAnswer} make the playlist. Where the presentation has said that it is to be
 * asked for ({@code Location}) is asked once its own address fails. The client's range concerns
 * nothing here, and reaches nobody.
 */
final class MpdErrand implements Errand {
  private final DashServices services;
  private final RouteRequest request;
  private final DashParameters parameters;
  private final UpstreamRequest question;
  private final TextHold texts;
  private volatile @Nullable Listener listener;
  private volatile @Nullable MpdAnswer making;
  private volatile @Nullable ExchangeException cancelled;
  private volatile boolean isMoved;
  private volatile boolean isText;

  MpdErrand(DashServices services, RouteRequest request, DashParameters parameters) {
    this.services = services;
    this.request = request;
    this.parameters = parameters;
    this.question =
        UpstreamRequest.document(
            parameters.stream().destination(),
            parameters.documentHeaders(services.hls().stream().proxyConfig()));
    this.texts = services.hls().newText();
  }

  @Override
  public Target destination() {
    return question.target();
  }

  @Override
  public void begin(Listener hearer) {
    hearer.requestRead();
    listener = hearer;
    hearer.ask(asked());
  }

  private FetchRequest asked() {
    return new FetchRequest(question, parameters.stream().fallbacks(), false);
  }

  @Override
  public Fetching fetch(FetchRequest fetch, Fetch.Listener hearer) {
    return services.hls().cache().fetch(fetch, isMoved ? hearer : new FirstAnswer(hearer));
  }

  /** Whether it is asked once more, elsewhere; its own address still comes first. */
  private boolean asksElsewhere() {
    Optional<Target> location = services.known().location(question);
    Listener hearer = listener;
    if (isMoved || location.isEmpty() || hearer == null || cancelled != null) {
      return false;
    }
    isMoved = true;
    hearer.ask(new FetchRequest(question, List.of(location.get()), false));
    return true;
  }

  @Override
  public void answer(UpstreamHead head, Content.Source body, Reply reply) throws ExchangeException {
    if (head.status() < 200 || head.status() >= 300) {
      OriginStatusException refusal = OriginStatusException.of(head);
      body.fail(refusal);
      if (!asksElsewhere()) {
        throw refusal;
      }
    } else if (!isWhole(head)) {
      throw PlaylistRefusedException.part();
    } else {
      collect(head, body, reply);
    }
  }

  private static boolean isWhole(UpstreamHead head) {
    return head.status() != 206
        || ContentRange.of(head)
            .filter(sent -> sent.length() == sent.total().orElse(-1))
            .isPresent();
  }

  private void collect(UpstreamHead head, Content.Source body, Reply reply) {
    isText = true;
    MpdAnswer answer = new MpdAnswer(services, request, parameters, asked(), head, texts, reply);
    making = answer;
    ExchangeException left = cancelled;
    if (left != null) {
      body.fail(left);
      answer.cancel(left);
      return;
    }
    new CollectedText(
            body,
            texts,
            MpdReader.MAX_BYTES,
            () ->
                MediaFormatException.unsupported(
                    "The MPD is too long (expected: at most "
                        + (MpdReader.MAX_BYTES >> 20)
                        + " MiB)."),
            answer)
        .run();
  }

  @Override
  public void cancel(ExchangeException cause) {
    cancelled = cause;
    MpdAnswer running = making;
    if (running != null) {
      running.cancel(cause);
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

  /** Hears the answer of the presentation's own address. */
  private final class FirstAnswer implements Fetch.Listener {
    private final Fetch.Listener hearer;

    FirstAnswer(Fetch.Listener hearer) {
      this.hearer = hearer;
    }

    @Override
    public void onResponse(UpstreamHead head, Content.Source body) {
      hearer.onResponse(head, body);
    }

    @Override
    public void onFailure(ExchangeException failure) {
      if (!asksElsewhere()) {
        hearer.onFailure(failure);
      }
    }
  }
}
