package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.CountedBody;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.FaultyOrigins;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHead;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RecordedRequest;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.Script;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bursts queue at one origin, films do not, and nobody waits for ever. */
@Timeout(60)
class FairAdmissionIT {
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final int PERMITS = 10;
  private static final long FILM = 1L << 31;

  private final List<RawHttp> clients = new ArrayList<>();

  @AfterEach
  void leave() throws IOException {
    for (RawHttp client : clients) {
      client.close();
    }
  }

  static Stream<Named<Script>> longBodies() {
    return Stream.of(
        Named.of("2 GiB", ToyOrigins.file(FILM)),
        Named.of("unknown length", ToyOrigins.endless()),
        Named.of("silent", ToyOrigins.silentAfter(5_000)));
  }

  @ParameterizedTest
  @MethodSource("longBodies")
  void startsEleventhFilmAtOnce_whileTenRun(Script script) throws IOException {
    try (RunningMillrace proxy = RunningMillrace.start();
        OriginServer origin = OriginServer.start(script)) {
      start(proxy, origin, PERMITS);
      long start = System.nanoTime();
      start(proxy, origin, 1);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
    }
  }

  @Test
  void startsEleventhEpisode_whenTenSlowClientsHoldShortOnes() throws IOException {
    try (RunningMillrace proxy = RunningMillrace.start();
        OriginServer origin = OriginServer.start(ToyOrigins.file(40_000_000))) {
      start(proxy, origin, PERMITS);
      long start = System.nanoTime();
      start(proxy, origin, 1);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
    }
  }

  @Test
  void servesMoreThanSixtyFourLongStreams() throws IOException {
    try (RunningMillrace proxy = RunningMillrace.start();
        OriginServer origin = OriginServer.start(ToyOrigins.trickle(500, Duration.ofMillis(50)))) {
      start(proxy, origin, 150);
      assertThat(origin.openConnections()).isEqualTo(150);
    }
  }

  @Test
  void usesTenConnections_forBurstOfSegments() throws IOException {
    try (RunningMillrace proxy = RunningMillrace.start();
        OriginServer origin = OriginServer.start(ToyOrigins.file(100_000))) {
      for (int i = 0; i < 100; i++) {
        clients.add(proxy.ask(origin.url("/s" + i + ".ts")));
      }
      for (RawHttp client : clients) {
        assertThat(client.body("GET", client.head()).countAll())
            .isEqualTo(new CountedBody(100_000, -1, BodyEnd.COMPLETE));
      }
      assertThat(origin.peakConnections()).isLessThanOrEqualTo(PERMITS);
      assertThat(origin.acceptedConnections()).isLessThanOrEqualTo(PERMITS + 2);
    }
  }

  @Test
  void servesInOrder_whenBurstWaits() throws IOException {
    AtomicBoolean released = new AtomicBoolean();
    Script held =
        exchange -> {
          while (!released.get() && exchange.pause(Duration.ofMillis(5))) {
            // all others wait in the gate meanwhile
          }
          exchange.text(200, "segment");
        };
    try (RunningMillrace proxy =
            RunningMillrace.start(settings -> settings.gate(1, 100, Duration.ofSeconds(20)));
        OriginServer origin = OriginServer.start(held)) {
      for (int i = 0; i < 10; i++) {
        clients.add(proxy.ask(origin.url("/" + i)));
        Await.stays("one request", Duration.ofMillis(40), () -> origin.requests().size() <= 1);
      }
      released.set(true);
      Await.until("all served", SOON, () -> origin.requests().size() == 10);
      assertThat(origin.requests()).extracting(RecordedRequest::path).isSorted();
    }
  }

  @Test
  void refusesWithRetryAfter_whenQueueIsFull() throws IOException {
    try (RunningMillrace proxy =
            RunningMillrace.start(settings -> settings.gate(1, 1, Duration.ofSeconds(30)));
        OriginServer origin = OriginServer.start(FaultyOrigins.mute())) {
      clients.add(proxy.ask(origin.url("/1")));
      Await.until("first sent on", SOON, () -> origin.requests().size() == 1);
      clients.add(proxy.ask(origin.url("/2")));
      Await.stays("one request", Duration.ofMillis(100), () -> origin.requests().size() == 1);
      RawAnswer refused = proxy.get(origin.url("/3"));
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.field("Retry-After").orElse("")).matches("\\d+");
      assertThat(ErrorBody.of(refused).reason()).isEqualTo("origin_busy");
      assertThat(origin.requests()).hasSize(1);
    }
  }

  @Test
  void refusesWithRetryAfter_whenWaitingTakesTooLong() throws IOException {
    try (RunningMillrace proxy =
            RunningMillrace.start(settings -> settings.gate(1, 10, Duration.ofMillis(300)));
        OriginServer origin = OriginServer.start(FaultyOrigins.mute())) {
      clients.add(proxy.ask(origin.url("/1")));
      Await.until("first sent on", SOON, () -> origin.requests().size() == 1);
      RawAnswer refused = proxy.get(origin.url("/2"));
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.field("Retry-After").orElse("")).matches("\\d+");
    }
  }

  @Test
  void servesOtherOrigins_whileOneIsBusy() throws IOException {
    try (RunningMillrace proxy =
            RunningMillrace.start(settings -> settings.gate(1, 10, Duration.ofSeconds(30)));
        OriginServer mute = OriginServer.start(FaultyOrigins.mute());
        OriginServer other = OriginServer.start(ToyOrigins.file(100))) {
      clients.add(proxy.ask(mute.url("/1")));
      clients.add(proxy.ask(mute.url("/2")));
      Await.until("first sent on", SOON, () -> mute.requests().size() == 1);
      assertThat(proxy.get(other.url("/v.mp4")).status()).isEqualTo(200);
    }
  }

  @Test
  void givesPermitBack_whenItsHolderFails() throws IOException {
    try (RunningMillrace proxy =
            RunningMillrace.start(settings -> settings.gate(1, 10, Duration.ofSeconds(5)));
        OriginServer origin = OriginServer.start(ToyOrigins.statusByPath())) {
      for (int status : List.of(404, 500, 403, 416, 401, 200)) {
        RawAnswer answer = proxy.fetch("GET", StreamLink.to(origin.url("/st/" + status)));
        assertThat(answer.field("Retry-After")).isEmpty();
      }
    }
  }

  @Test
  void refusesOrWaitsWithLimit_atHardCapOfConnections() throws IOException {
    try (RunningMillrace proxy =
            RunningMillrace.start(
                settings -> settings.maxConnections(3).gate(10, 10, Duration.ofSeconds(1)));
        OriginServer origin = OriginServer.start(ToyOrigins.endless())) {
      start(proxy, origin, 3);
      try (RawHttp fourth = proxy.ask(origin.url("/v.ts"))) {
        RawHead head = fourth.head();
        assertThat(head.status()).isEqualTo(503);
        assertThat(head.field("Retry-After")).isPresent();
      }
      assertThat(origin.peakConnections()).isEqualTo(3);
    }
  }

  /** Clients that read a first byte and then nothing. */
  private void start(RunningMillrace proxy, OriginServer origin, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      RawHttp client = proxy.ask(8 << 10, origin.url("/film" + i + ".mp4"));
      clients.add(client);
      assertThat(client.body("GET", client.head()).count(1).length()).isEqualTo(1);
    }
  }
}
