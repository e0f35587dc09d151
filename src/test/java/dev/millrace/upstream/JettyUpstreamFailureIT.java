package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.stream.ExchangeException;
import dev.millrace.testing.FaultyOrigins;
import dev.millrace.testing.OriginExchange;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.Script;
import dev.millrace.testing.ToyOrigins;
import dev.millrace.upstream.UpstreamException.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which kind of failure each trouble with an origin becomes. */
@Timeout(60)
class JettyUpstreamFailureIT {
  @AutoClose private final StartedUpstream upstream = new StartedUpstream(4, "loopback");

  private void assertKind(String url, Kind kind) {
    assertThat(upstream.get(url).failure())
        .isInstanceOfSatisfying(
            UpstreamException.class,
            e -> assertThat(e.kind()).as(() -> String.valueOf(e.getCause())).isEqualTo(kind));
  }

  private void assertKind(Script script, Kind kind) {
    try (OriginServer origin = OriginServer.start(script)) {
      assertKind(origin.url("/"), kind);
    }
  }

  @Test
  void nameWithoutAddress() {
    assertKind("http://no-such-host.invalid/", Kind.DNS_FAILED);
  }

  @Test
  void nobodyListens() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    assertKind("http://127.0.0.1:" + port + "/", Kind.CONNECT_FAILED);
  }

  @Test
  void nobodyAccepts() throws IOException {
    List<Socket> waiting = new ArrayList<>();
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      for (int i = 0; i < 2; i++) {
        waiting.add(new Socket(InetAddress.getLoopbackAddress(), full.getLocalPort()));
      }
      assertKind("http://127.0.0.1:" + full.getLocalPort() + "/", Kind.CONNECT_TIMEOUT);
    } finally {
      for (Socket socket : waiting) {
        socket.close();
      }
    }
  }

  @Test
  void certificateOfNobody() {
    try (OriginServer origin = OriginServer.startTls(ToyOrigins.file(10))) {
      assertKind(origin.url("/"), Kind.TLS_FAILED);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "garbage\r\n\r\n",
        "HTTP/1.1 abc Bad\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"
      })
  void noHttp(String answer) {
    assertKind(
        exchange -> {
          exchange.write(answer);
          exchange.hold();
        },
        Kind.BAD_RESPONSE);
  }

  @Test
  void headWithoutEnd() {
    Script endless =
        exchange -> {
          exchange.write("HTTP/1.1 200 OK\r\n");
          for (int i = 0; i < 1_000; i++) {
            exchange.write("X-" + i + ": " + "x".repeat(1_000) + "\r\n");
          }
        };
    try (OriginServer origin = OriginServer.start(endless)) {
      // with assertions on, one of Jetty's own comes before its finding
      assertThat(upstream.get(origin.url("/")).failure().reason())
          .isIn("bad_response", "upstream_closed");
    }
  }

  @Test
  void closedWithoutAnAnswer() {
    assertKind(OriginExchange::cut, Kind.UPSTREAM_CLOSED);
    assertKind(OriginExchange::reset, Kind.UPSTREAM_CLOSED);
  }

  @Test
  void closedInTheMiddleOfTheHead() {
    assertKind(
        exchange -> {
          exchange.write("HTTP/1.1 200 OK\r\nContent-Le");
          exchange.cut();
        },
        Kind.UPSTREAM_CLOSED);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void chunksThatStop(boolean isReset) {
    try (OriginServer origin = OriginServer.start(FaultyOrigins.cutChunked(1_000, isReset))) {
      assertThat(upstream.get(origin.url("/")).bodyFailure()).isNotNull();
    }
  }

  @Test
  void bodyShorterThanItsLength() {
    try (OriginServer origin = OriginServer.start(FaultyOrigins.cutAfter(1_000, 999))) {
      assertThat(upstream.get(origin.url("/")).bodyFailure()).isNotNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]"})
  void targetThatIsNotAllowed(String host) {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(10));
        StartedUpstream closed = new StartedUpstream(4)) {
      ExchangeException failure =
          closed.get("http://" + host + ":" + origin.port() + "/").failure();

      assertThat(failure.status()).isEqualTo(403);
      assertThat(origin.acceptedConnections()).isZero();
    }
  }
}
