package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginExchange;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that are legal or nearly so, but seldom seen. */
@Timeout(30)
class OddAnswersIT {
  private static final Duration HEADER_TIMEOUT = Duration.ofMillis(700);
  private static final Duration SOON = Duration.ofSeconds(5);

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(settings -> settings.headerTimeout(HEADER_TIMEOUT));

  /** Interim responses without end, or the file if the path does not ask for that. */
  private static void floodOrFile(OriginExchange exchange) throws IOException {
    if (!exchange.request().path().equals("/flood")) {
      ToyOrigins.sendFile(exchange, 1_000);
      return;
    }
    while (exchange.pause(Duration.ofMillis(5))) {
      exchange.write("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"100 Continue", "102 Processing", "103 Early Hints", "199 Whatever"})
  void passesOverInterimResponses(String interim) throws IOException {
    try (OriginServer origin =
        OriginServer.start(
            exchange -> {
              exchange.write(("HTTP/1.1 " + interim + "\r\nLink: </x>\r\n\r\n").repeat(3));
              ToyOrigins.sendFile(exchange, 1_000);
            })) {
      RawAnswer answer = PROXY.get(origin.url("/v.mp4"));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.field("Link")).isEmpty();
      assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(0, 1_000));
    }
  }

  @Test
  void timesOut_whenOnlyInterimResponsesCome() throws IOException {
    try (OriginServer origin = OriginServer.start(OddAnswersIT::floodOrFile)) {
      assertThat(PROXY.get(origin.url("/flood")).status()).isEqualTo(504);
      Await.until("upstream closed", SOON, () -> origin.openConnections() == 0);
    }
  }

  @Test
  void servesOthers_afterClientsLeaveDuringInterimResponses() throws IOException {
    try (OriginServer origin = OriginServer.start(OddAnswersIT::floodOrFile)) {
      List<RawHttp> clients = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        clients.add(PROXY.ask(origin.url("/flood")));
      }
      Await.until("ten sent on", SOON, () -> origin.requests().size() == 10);
      for (RawHttp client : clients) {
        client.reset();
      }
      assertThat(PROXY.get(origin.url("/v.mp4")).status()).isEqualTo(200);
      Await.until("all but one closed", SOON, () -> origin.openConnections() <= 1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 205})
  void passesStatusWithoutBody(int status) throws IOException {
    try (OriginServer origin =
        OriginServer.start(
            exchange -> exchange.bytes(status, new byte[5], "Content-Type: video/mp4"))) {
      RawAnswer answer = PROXY.get(origin.url("/v.mp4"));
      assertThat(answer.status()).isEqualTo(status);
      assertThat(answer.bytes()).isEmpty();
    }
  }

  @Test
  void reports_whenOriginSwitchesProtocols() throws IOException {
    try (OriginServer origin =
        OriginServer.start(
            exchange ->
                exchange.write(
                    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"))) {
      RawAnswer answer = PROXY.get(origin.url("/v.mp4"));
      assertThat(answer.status()).isEqualTo(502);
      assertThat(ErrorBody.of(answer).detail()).isNotBlank();
    }
  }

  @Test
  void aborts_whenBodyUntilCloseIsReset() throws IOException {
    try (OriginServer origin =
        OriginServer.start(
            exchange -> {
              exchange.head(200, "Content-Type: video/mp2t", "Connection: close");
              exchange.write(new byte[5_000]);
              exchange.pause(Duration.ofMillis(200));
              exchange.reset();
            })) {
      RawAnswer answer = PROXY.get(origin.url("/v.ts"));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.end().isAbort()).isTrue();
    }
  }

  @Test
  void ends_whenBodyUntilCloseIsEnded() throws IOException {
    try (OriginServer origin =
        OriginServer.start(
            exchange -> {
              exchange.head(200, "Content-Type: video/mp2t", "Connection: close");
              exchange.write(new byte[5_000]);
              exchange.cut();
            })) {
      RawAnswer answer = PROXY.get(origin.url("/v.ts"));
      assertThat(answer.bytes()).hasSize(5_000);
      assertThat(answer.end().isAbort()).isFalse();
    }
  }

  @Test
  void reports_whenRedirectLeadsNowhere() throws IOException {
    try (OriginServer origin =
        OriginServer.start(exchange -> exchange.bytes(302, new byte[0], "Location: "))) {
      assertThat(PROXY.get(origin.url("/v.mp4")).status()).isEqualTo(502);
      assertThat(origin.requests()).hasSize(1);
    }
  }
}
