package dev.millrace.upstream;

import dev.millrace.stream.ExchangeException;
import dev.millrace.testing.CountingMetrics;
import dev.millrace.testing.FakeUpstream;
import dev.millrace.testing.ManualTimer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.jetty.io.Content;

/** Fetches through a gate with one permit, in a time that the test moves; records what comes. */
final class FetchFixture implements Fetch.Listener {
  static final Duration HEADER_TIMEOUT = UpstreamConfig.defaults().headerTimeout();
  static final Duration IDLE_TIMEOUT = UpstreamConfig.defaults().idleTimeout();
  static final String ORIGIN = "http://a.example:80";

  final ManualTimer timer = new ManualTimer();
  final FakeUpstream upstream = new FakeUpstream();
  final OriginGate gate = new OriginGate(1, 10, Duration.ofHours(1), timer);
  final CountingMetrics metrics = new CountingMetrics();
  final Fetcher fetcher;
  final List<UpstreamHead> heads = new ArrayList<>();
  final List<ExchangeException> failures = new ArrayList<>();
  Content.Source body;

  FetchFixture() {
    this(ResumeConfig.defaults());
  }

  FetchFixture(ResumeConfig resume) {
    fetcher =
        new Fetcher(
            upstream, gate, config(resume), timer, timer::nanoTime, FetchMetrics.of(metrics));
  }

  private static UpstreamConfig config(ResumeConfig resume) {
    UpstreamConfig base = UpstreamConfig.defaults();
    return new UpstreamConfig(
        base.gatePermits(),
        base.gateWaiting(),
        base.gateTimeout(),
        base.maxConnections(),
        base.connectTimeout(),
        base.headerTimeout(),
        base.idleTimeout(),
        base.pooledIdleTimeout(),
        base.resolveTimeout(),
        base.maxRedirects(),
        base.allowTargets(),
        base.verifyTls(),
        resume,
        base.routes(),
        base.http2());
  }

  /** A body without an end of its own. */
  Fetch live(String... fallbacks) {
    return fetch(request("GET"), true, fallbacks);
  }

  /** From the usual target, else from these. */
  Fetch getOr(String... fallbacks) {
    return fetch(request("GET"), false, fallbacks);
  }

  Fetch fetch(UpstreamRequest first, boolean isLive, String... fallbacks) {
    List<Target> targets = Stream.of(fallbacks).map(FetchFixture::target).toList();
    return fetcher.fetch(new FetchRequest(first, targets, isLive), this);
  }

  Fetch get(String... fields) {
    return fetch("GET", fields);
  }

  Fetch fetch(String method, String... fields) {
    return fetcher.fetch(FetchRequest.of(request(method, fields)), this);
  }

  static UpstreamRequest request(String method, String... fields) {
    return new UpstreamRequest(method, target("http://a.example/v.mp4"), Headers.of(fields));
  }

  static Target target(String url) {
    try {
      return Target.parse(url);
    } catch (BadTargetException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void onResponse(UpstreamHead head, Content.Source source) {
    heads.add(head);
    body = source;
  }

  @Override
  public void onFailure(ExchangeException failure) {
    failures.add(failure);
  }

  /** How often the listener was called. */
  int calls() {
    return heads.size() + failures.size();
  }

  String reason() {
    if (failures.size() != 1) {
      throw new AssertionError("expected one failure, got " + failures);
    }
    return failures.get(0).reason();
  }

  /** Whether no permit is out and nobody waits for one. */
  boolean isGateFree() {
    return gate.activeOrigins() == 0 && gate.waiting() == 0;
  }

  /** Takes the only permit. */
  OriginGate.Permit occupyGate() {
    return gate.enter(ORIGIN).join();
  }

  /** What can be read now, as text. */
  static String readAll(Content.Source source) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Content.Chunk chunk = source.read();
    while (chunk != null && !Content.Chunk.isFailure(chunk)) {
      while (chunk.hasRemaining()) {
        bytes.write(chunk.getByteBuffer().get());
      }
      chunk.release();
      chunk = chunk.isLast() ? null : source.read();
    }
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }

  /** The failure that a read gives now. */
  static Throwable failureOf(Content.Source source) {
    Content.Chunk chunk = source.read();
    if (!Content.Chunk.isFailure(chunk)) {
      throw new AssertionError("expected a failure, got " + chunk);
    }
    return chunk.getFailure();
  }
}
