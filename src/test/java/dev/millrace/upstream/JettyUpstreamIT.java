package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.stream.ExchangeException;
import dev.millrace.testing.Await;
import dev.millrace.testing.FaultyOrigins;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginExchange;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RecordedRequest;
import dev.millrace.testing.ToyOrigins;
import dev.millrace.upstream.UpstreamException.Kind;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes over the wire, and what answers become. */
@Timeout(60)
class JettyUpstreamIT {
  private static final byte[] BODY = OffsetBytes.range(0, 300_000);

  @AutoClose private final StartedUpstream upstream = new StartedUpstream(2, "loopback");

  @ParameterizedTest
  @ValueSource(
      strings = {"//path//x", "/?", "/a?", "/a?b=%2F&c=d|e", "/a%2Fb;c=1/../d", "/?a?b", "/%7e"})
  void sendsTheRequestTargetAsItIs(String target) {
    try (OriginServer origin = OriginServer.start(ToyOrigins.mirror())) {
      upstream.get(origin.url(target)).text();

      assertThat(origin.onlyRequest().target()).isEqualTo(target);
    }
  }

  @Test
  void addsNothingToTheFields() {
    try (OriginServer origin = OriginServer.start(ToyOrigins.mirror())) {
      upstream.get(origin.url("/"), "X-One", "1", "x-two", "", "X-One", "2").text();

      RecordedRequest request = origin.onlyRequest();
      assertThat(request.fieldNames()).containsExactlyInAnyOrder("host", "x-one", "x-two", "x-one");
      assertThat(request.field("Host")).contains("127.0.0.1:" + origin.port());
    }
  }

  @Test
  void usesConnectionsAgain() {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(1_000))) {
      for (int i = 0; i < 5; i++) {
        assertThat(upstream.get(origin.url("/")).bytes()).hasSize(1_000);
      }

      assertThat(origin.acceptedConnections()).isEqualTo(1);
    }
  }

  @Test
  void usesAFreshConnection_whenItIsToBeClosed() {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(10))) {
      upstream.get(origin.url("/")).bytes();
      upstream.get(origin.url("/"), "Connection", "close").bytes();
      upstream.get(origin.url("/"), "Connection", "close").bytes();
      upstream.get(origin.url("/")).bytes();

      assertThat(origin.requests())
          .extracting(RecordedRequest::connection)
          .containsExactly(1, 2, 3, 1);
    }
  }

  @Test
  void usesAConnectionNoMore_whenItHoldsMoreThanWasPromised() {
    try (OriginServer origin = OriginServer.start(FaultyOrigins.surplus(10, 50))) {
      assertThat(upstream.get(origin.url("/")).bytes()).isEqualTo(OffsetBytes.range(0, 10));
      assertThat(upstream.get(origin.url("/")).bytes()).isEqualTo(OffsetBytes.range(0, 10));

      assertThat(origin.acceptedConnections()).isEqualTo(2);
    }
  }

  @Test
  void refuses_whenEveryConnectionIsTaken() {
    try (OriginServer origin = OriginServer.start(OriginExchange::hold)) {
      upstream.get(origin.url("/"));
      upstream.get(origin.url("/"));
      Await.until("two requests", Duration.ofSeconds(5), () -> origin.requests().size() == 2);

      ExchangeException failure = upstream.get(origin.url("/")).failure();

      assertThat(failure.status()).isEqualTo(503);
      assertThat(failure.reason()).isEqualTo("origin_busy");
    }
  }

  @Test
  void tellsTheCause_whenItIsAborted() {
    try (OriginServer origin = OriginServer.start(OriginExchange::hold)) {
      ReceivedAnswer answer = new ReceivedAnswer();
      Upstream.Exchange exchange = upstream.begin("GET", origin.url("/"), answer);
      Await.until("the request", Duration.ofSeconds(5), () -> origin.requests().size() == 1);
      UpstreamException cause = new UpstreamException(Kind.UPSTREAM_TIMEOUT);

      exchange.abort(cause);

      assertThat(answer.failure()).isSameAs(cause);
      Await.until("a close", Duration.ofSeconds(5), () -> origin.openConnections() == 0);
    }
  }

  // coded bodies

  @Test
  void decodesGzip_whichNobodyAskedFor() {
    try (OriginServer origin = OriginServer.start(FaultyOrigins.gzip(BODY, Integer.MAX_VALUE))) {
      ReceivedAnswer answer = upstream.get(origin.url("/"));

      assertThat(answer.bytes()).isEqualTo(BODY);
      assertThat(answer.head().headers().has("Content-Encoding")).isFalse();
      assertThat(answer.head().headers().has("Content-Length")).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 10, 100, 2_000})
  void fails_whenGzipEndsEarly(int kept) {
    byte[] body = new byte[2_000];
    new Random(7).nextBytes(body);
    try (OriginServer origin = OriginServer.start(FaultyOrigins.gzip(body, kept))) {
      assertThat(upstream.get(origin.url("/")).bodyFailure()).isNotNull();
    }
  }

  @Test
  void takesNothingAsTheGzipOfNothing() {
    try (OriginServer origin = OriginServer.start(FaultyOrigins.gzip(BODY, 0))) {
      assertThat(upstream.get(origin.url("/")).bytes()).isEmpty();
    }
  }

  @Test
  void fails_whenGzipIsNone() {
    try (OriginServer origin =
        OriginServer.start(exchange -> exchange.text(200, "hello", "Content-Encoding: gzip"))) {
      assertThat(upstream.get(origin.url("/")).bodyFailure()).isNotNull();
    }
  }

  @Test
  void leavesPartsOfGzipAlone() {
    try (OriginServer origin = OriginServer.start(FaultyOrigins.gzipPartial(BODY, 10, 110))) {
      ReceivedAnswer answer = upstream.get(origin.url("/"), "Range", "bytes=10-109");

      assertThat(answer.bytes()).hasSize(100);
      assertThat(answer.head().headers().first("Content-Encoding")).contains("gzip");
    }
  }

  @Test
  void decodesNothing_forHead() {
    try (OriginServer origin = OriginServer.start(FaultyOrigins.gzip(BODY, Integer.MAX_VALUE))) {
      ReceivedAnswer answer = upstream.send("HEAD", origin.url("/"));

      assertThat(answer.bytes()).isEmpty();
      assertThat(answer.head().headers().has("Content-Length")).isFalse();
    }
  }
}
