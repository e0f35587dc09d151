package dev.millrace.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.millrace.dash.Mpd.UtcTiming;
import dev.millrace.proxy.HeaderPolicy;
import dev.millrace.proxy.ProxyParameters;
import dev.millrace.proxy.RangeRequest;
import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.BadTargetException;
import dev.millrace.upstream.Fetch;
import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.Fetching;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.Target;
import dev.millrace.upstream.UpstreamHead;
import dev.millrace.upstream.UpstreamRequest;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * Asks those for the time whom a presentation names (ISO/IEC 23009-1 §5.8.4.11), one after the
 * other, until one can be understood: {@code direct}, {@code http-head}, {@code http-iso} and
 * {@code http-xsdate}; {@code http-ntp}, {@code ntp} and {@code sntp} are passed over. Half of the
 * time that an answer takes counts for its way. At most {@value #MAX_SOURCES} are asked, and all
 * together for {@link #PATIENCE}.
 */
final class TimeReading {
  static final Duration PATIENCE = Duration.ofSeconds(2);
  static final int MAX_SOURCES = 8;

  /** Of an answer. */
  private static final int MAX_BYTES = 256;

  private final StreamServices services;
  private final Clock clock;
  private final Target presentation;
  private final ProxyParameters parameters;
  private final Consumer<Optional<Duration>> hears;
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final Queue<Question> questions = new ArrayDeque<>();
  private volatile @Nullable Fetching running;
  private volatile @Nullable Future<?> deadline;

  /** Somebody to ask, or the answer itself. */
  private record Question(String scheme, String value) {
    boolean isDirect() {
      return scheme.contains(":utc:direct:");
    }

    boolean isHead() {
      return scheme.contains(":utc:http-head:");
    }

    boolean isText() {
      return scheme.contains(":utc:http-iso:") || scheme.contains(":utc:http-xsdate:");
    }
  }

  /**
   * @param presentation where the MPD comes from: addresses begin there
   * @param hears once, how far that time is ahead of ours; absent if it cannot be learned
   */
  TimeReading(
      StreamServices services,
      Clock clock,
      Target presentation,
      ProxyParameters parameters,
      Consumer<Optional<Duration>> hears) {
    this.services = services;
    this.clock = clock;
    this.presentation = presentation;
    this.parameters = parameters;
    this.hears = hears;
  }

  void begin(List<UtcTiming> timings) {
    timings.stream()
        .flatMap(
            timing ->
                Arrays.stream(timing.value().strip().split("\\s+", -1))
                    .map(value -> new Question(timing.schemeIdUri(), value)))
        .filter(question -> question.isDirect() || question.isHead() || question.isText())
        .limit(MAX_SOURCES)
        .forEach(questions::add);
    if (questions.stream().anyMatch(question -> !question.isDirect())) {
      try {
        deadline =
            services.timer().schedule(this::expire, PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException stopping) {
        questions.clear();
      }
    }
    askNext();
  }

  /** Nobody is asked any more, and nobody is told. */
  void cancel() {
    if (isOver.compareAndSet(false, true)) {
      stop();
    }
  }

  private void expire() {
    end(Optional.empty());
  }

  private void end(Optional<Duration> found) {
    if (isOver.compareAndSet(false, true)) {
      stop();
      hears.accept(found);
    }
  }

  private void stop() {
    Future<?> waiting = deadline;
    if (waiting != null) {
      waiting.cancel(false);
    }
    Fetching asked = running;
    if (asked != null) {
      asked.cancel(); // what has been answered is not concerned
    }
  }

  private void askNext() {
    Question question = questions.poll();
    if (question == null) {
      end(Optional.empty());
    } else if (question.isDirect()) {
      tell(dateTime(question.value()), Duration.ZERO);
    } else {
      ask(question);
    }
  }

  private void tell(Optional<Instant> time, Duration onItsWay) {
    if (time.isPresent()) {
      end(Optional.of(Duration.between(clock.instant(), time.get().plus(onItsWay))));
    } else if (!isOver.get()) {
      askNext();
    }
  }

  private void ask(Question question) {
    Target target;
    try {
      target = presentation.resolve(question.value());
    } catch (BadTargetException unreachable) {
      askNext();
      return;
    }
    Headers fields = fields(target);
    UpstreamRequest request =
        question.isHead()
            ? new UpstreamRequest("HEAD", target, fields)
            : UpstreamRequest.document(target, fields);
    Fetching started =
        services.fetcher().fetch(FetchRequest.of(request), new Answer(question.isHead()));
    running = started;
    if (isOver.get()) {
      started.cancel();
    }
  }

  /** What the presentation's origin wants to see is for that origin alone. */
  private Headers fields(Target target) {
    var config = services.proxyConfig();
    return target.sameOrigin(presentation)
        ? HeaderPolicy.toUpstream(parameters.to(target), RangeRequest.NONE, config)
        : Headers.of("User-Agent", config.userAgent(), "Accept", "*/*");
  }

  /** {@code xs:dateTime}; without a zone it is UTC. */
  static Optional<Instant> dateTime(String text) {
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException noZone) {
      try {
        return Optional.of(LocalDateTime.parse(text).toInstant(ZoneOffset.UTC));
      } catch (DateTimeException none) {
        return Optional.empty();
      }
    }
  }

  /** The usual form of RFC 9110 §5.6.7. */
  static Optional<Instant> httpDate(String text) {
    try {
      return Optional.of(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text.strip())));
    } catch (DateTimeException none) {
      return Optional.empty();
    }
  }

  /** Takes one answer. */
  private final class Answer implements Fetch.Listener, BodyStart.Listener {
    private final boolean isHead;
    private final long askedNanos = services.nanoTime().getAsLong();

    Answer(boolean isHead) {
      this.isHead = isHead;
    }

    @Override
    public void onResponse(UpstreamHead head, Content.Source body) {
      if (isHead || head.status() != 200) {
        BodyStart.end(body);
        Optional<String> date = head.headers().first("Date").filter(field -> isHead);
        tell(date.flatMap(TimeReading::httpDate), onItsWay());
      } else {
        BodyStart.read(body, MAX_BYTES, (start, isAll) -> false, this);
      }
    }

    private Duration onItsWay() {
      return Duration.ofNanos((services.nanoTime().getAsLong() - askedNanos) / 2);
    }

    @Override
    public void begun(ByteBuffer start, Content.Source body) {
      String text = ISO_8859_1.decode(start).toString().strip();
      BodyStart.end(body);
      tell(dateTime(text), onItsWay());
    }

    @Override
    public void failed(Throwable failure) {
      tell(Optional.empty(), Duration.ZERO);
    }

    @Override
    public void onFailure(ExchangeException failure) {
      tell(Optional.empty(), Duration.ZERO);
    }
  }
}
