package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.testing.FakeUpstream;
import dev.millrace.testing.ManualTimer;
import dev.millrace.testing.ScriptedSource;
import dev.millrace.upstream.RouteConfig.Route;
import dev.millrace.upstream.UpstreamException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublicIpTest {
  private static final Target PLAIN = target("https://plain.example/v");
  private static final Target PROXIED = target("https://a.example/v");
  private static final RouteConfig ROUTES =
      new RouteConfig(
          List.of(
              new Route("all://a.example", true, Optional.of("http://proxy.example:8080"), false),
              new Route("all://lax.example", false, Optional.empty(), false)),
          Optional.empty(),
          false);

  private final FakeUpstream upstream = new FakeUpstream();
  private final ManualTimer timer = new ManualTimer();
  private final List<OutboundRoute> ways = new ArrayList<>();
  private final PublicIp publicIp =
      publicIp(
          new PublicIpConfig(
              Optional.empty(), List.of("https://one.example/?k=secret", "https://two.example/")));

  private PublicIp publicIp(PublicIpConfig config) {
    return new PublicIp(
        config,
        RouteTable.of(ROUTES)::routeTo,
        (request, route, listener) -> {
          ways.add(route);
          return upstream.send(request, listener);
        },
        timer,
        timer::nanoTime);
  }

  private static Target target(String url) {
    try {
      return Target.parse(url);
    } catch (BadTargetException e) {
      throw new AssertionError(e);
    }
  }

  private static String told(CompletionStage<String> address) {
    return address.toCompletableFuture().getNow("nothing yet");
  }

  private void assertUnknown(CompletionStage<String> address) {
    CompletableFuture<String> future = address.toCompletableFuture();
    assertThat(future).isCompletedExceptionally();
    assertThatThrownBy(future::join)
        .hasCauseInstanceOf(PublicIpUnknownException.class)
        .hasMessageNotContaining("example")
        .hasMessageNotContaining("secret");
  }

  private void answer(String text) {
    FakeUpstream.Sent sent = upstream.last();
    sent.respond(200).addLast(text);
    sent.complete();
  }

  @Test
  void isWhatTheSettingSays_andNobodyIsAsked() {
    PublicIp fixed = publicIp(new PublicIpConfig(Optional.of("2001:db8::1"), List.of()));

    assertThat(told(fixed.address())).isEqualTo("2001:db8::1");
    assertThat(told(fixed.addressFor(PROXIED))).isEqualTo("2001:db8::1");
    assertThat(upstream.sent()).isEmpty();
  }

  @Test
  void isWhatTheFirstServiceTells() {
    CompletionStage<String> address = publicIp.address();

    assertThat(told(address)).isEqualTo("nothing yet");
    answer("{\"ip\":\"203.0.113.9\"}");
    assertThat(told(address)).isEqualTo("203.0.113.9");
    assertThat(upstream.last().request().target().host()).isEqualTo("one.example");
    assertThat(upstream.last().field("User-Agent")).isEqualTo("millrace");
  }

  @Test
  void asksThroughTheProxyOfTheDestination() {
    var unused = publicIp.addressFor(PROXIED);

    assertThat(ways.get(0).proxy()).map(ForwardProxy::host).contains("proxy.example");
  }

  @Test
  void checksTheCertificateOfTheService_whateverTheDestinationAsksFor() {
    assertThat(publicIp.addressFor(PROXIED)).isNotDone();
    assertThat(publicIp.addressFor(target("https://lax.example/"))).isNotDone();
    assertThat(ways).extracting(OutboundRoute::verifyTls).containsExactly(true, true);
  }

  @Test
  void keepsOneAnswerForEachProxy() {
    CompletionStage<String> direct = publicIp.addressFor(PLAIN);
    answer("192.0.2.1");
    CompletionStage<String> proxied = publicIp.addressFor(PROXIED);
    answer("192.0.2.2");

    assertThat(told(direct)).isEqualTo("192.0.2.1");
    assertThat(told(proxied)).isEqualTo("192.0.2.2");
    assertThat(told(publicIp.addressFor(target("https://other.example/")))).isEqualTo("192.0.2.1");
    assertThat(upstream.sent()).hasSize(2);
  }

  @Test
  void asksOnce_howeverManyWait() {
    List<CompletionStage<String>> waiting = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      waiting.add(publicIp.address());
    }
    answer("192.0.2.1");

    assertThat(upstream.sent()).hasSize(1);
    assertThat(waiting).allSatisfy(stage -> assertThat(told(stage)).isEqualTo("192.0.2.1"));
  }

  @Test
  void letsNobodyCompleteItForOthers() {
    CompletionStage<String> mine = publicIp.address();
    mine.toCompletableFuture().complete("198.51.100.1");

    assertThat(told(publicIp.address())).isEqualTo("nothing yet");
  }

  @Test
  void asksAgain_afterAMinute() {
    var unused = publicIp.address();
    answer("192.0.2.1");
    timer.advance(PublicIp.FRESH.minusNanos(1));
    assertThat(told(publicIp.address())).isEqualTo("192.0.2.1");
    assertThat(upstream.sent()).hasSize(1);

    timer.advance(Duration.ofNanos(1));
    assertThat(told(publicIp.address())).isEqualTo("nothing yet");
    assertThat(upstream.sent()).hasSize(2);
  }

  @Test
  void keepsFailuresForFiveSeconds() {
    CompletionStage<String> address = publicIp.address();
    upstream.last().answer(500);
    upstream.last().answer(404);
    assertUnknown(address);
    timer.advance(PublicIp.FRESH_FAILURE.minusNanos(1));
    assertUnknown(publicIp.address());
    assertThat(upstream.sent()).hasSize(2);

    timer.advance(Duration.ofNanos(1));
    assertThat(told(publicIp.address())).isEqualTo("nothing yet");
  }

  @Test
  void asksTheNextService_whenOneIsSilentForFiveSeconds() {
    CompletionStage<String> address = publicIp.address();
    timer.advance(PublicIpQuestion.MAX_TIME.minusNanos(1));
    assertThat(upstream.sent()).hasSize(1);

    timer.advance(Duration.ofNanos(1));
    assertThat(upstream.sent().get(0).abortCause()).isNotNull();
    assertThat(upstream.sent()).hasSize(2);
    answer("192.0.2.2");
    assertThat(told(address)).isEqualTo("192.0.2.2");
    assertThat(timer.pending()).isZero();
  }

  @Test
  void asksTheNextService_whenABodyDoesNotEndInTime() {
    CompletionStage<String> address = publicIp.address();
    ScriptedSource dripping = upstream.last().respond(200);
    for (int i = 0; i < 5; i++) {
      dripping.add("1");
      timer.advance(Duration.ofSeconds(1));
    }

    assertThat(upstream.sent()).hasSize(2);
    answer("192.0.2.2");
    assertThat(told(address)).isEqualTo("192.0.2.2");
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 401, 403, 429, 500, 204})
  void asksTheNextService_whenOneAnswersAnythingElse(int status) {
    CompletionStage<String> address = publicIp.address();
    upstream.last().answer(status, "Location", "https://elsewhere.example/");
    answer("192.0.2.2");

    assertThat(upstream.last().request().target().host()).isEqualTo("two.example");
    assertThat(told(address)).isEqualTo("192.0.2.2");
  }

  @Test
  void asksTheNextService_whenOneCannotBeReached() {
    CompletionStage<String> address = publicIp.address();
    upstream.last().fail(new UpstreamException(Kind.CONNECT_FAILED));
    answer("192.0.2.2");

    assertThat(told(address)).isEqualTo("192.0.2.2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "{\"ip\":null}",
        "{\"ip\":\"localhost\"}",
        "{\"ip\":\"1.2.3.4/8\"}",
        "<html>1.2.3.4</html>",
        "1.2.3",
        "256.1.1.1",
        "1.2.3.4 5.6.7.8",
        "fe80::1%eth0",
        "\",\"x\":\""
      })
  void asksTheNextService_whenAnAnswerHoldsNoAddress(String text) {
    CompletionStage<String> address = publicIp.address();
    answer(text);
    assertThat(upstream.sent()).hasSize(2);
    answer(text);

    assertUnknown(address);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "203.0.113.9|203.0.113.9",
        "{\"ip\":\"203.0.113.9\"}|203.0.113.9",
        "{\"ip\": \"2001:db8::9\", \"city\": \"x\"}|2001:db8::9",
        "{\"country\":\"x\",\"ip\":\"203.0.113.9\"}|203.0.113.9",
        "{\"origin\": \"203.0.113.9, 10.0.0.1\"}|203.0.113.9",
        "{\"origin\":\"203.0.113.9\"}|203.0.113.9",
      })
  void understandsWhatServicesSay(String text, String expected) {
    assertThat(PublicIpQuestion.addressIn(text + "\n")).contains(expected);
  }

  @Test
  void takesAnswersOf64KibAndNoLongerOnes() {
    String padding = " ".repeat(PublicIpQuestion.MAX_BODY_BYTES - "192.0.2.1".length());
    CompletionStage<String> address = publicIp.address();
    answer(padding + " 192.0.2.1");
    assertThat(told(address)).isEqualTo("nothing yet");
    answer(padding + "192.0.2.1");

    assertThat(told(address)).isEqualTo("192.0.2.1");
  }

  @Test
  void isUnknown_whenTheServerStops() {
    timer.shutdown();

    assertUnknown(publicIp.address());
  }
}
