package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.CountedBody;
import dev.millrace.testing.Deployment;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawBody;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The WAR without a password, in containers that listen on every address. */
@Timeout(120)
@Execution(ExecutionMode.SAME_THREAD)
class OpenWarIT {
  private static final Duration LONGER_THAN_CONTAINERS = Duration.ofSeconds(33);
  private static final long SIZE = 60_000_000;
  private static final String ALLOW = "ALLOW_TARGETS=loopback";

  @AutoClose private static final Deployment TOMCAT = Deployment.tomcat().set(ALLOW).start();
  @AutoClose private static final Deployment JETTY = Deployment.jetty().set(ALLOW).start();

  @AutoClose
  private static final Deployment JETTY_HOME = Deployment.jettyHomeAndBase().set(ALLOW).start();

  static Stream<Named<Deployment>> containers() {
    return Stream.of(
        Named.of("Tomcat", TOMCAT), Named.of("Jetty", JETTY), Named.of("jetty-home", JETTY_HOME));
  }

  @ParameterizedTest(autoCloseArguments = false)
  @MethodSource("containers")
  void servesClientsOnThisMachine(Deployment proxy) throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(1_000))) {
      RawAnswer answer = proxy.fetch("GET", StreamLink.to(origin.url("/v.mp4")));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.bytes()).hasSize(1_000);
    }
  }

  @ParameterizedTest(autoCloseArguments = false)
  @MethodSource("containers")
  void refusesClientsFromElsewhere(Deployment proxy) throws IOException {
    Optional<InetAddress> outer = Deployment.outerAddress();
    Assumptions.assumeTrue(outer.isPresent(), "this machine has loopback only");
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(1_000));
        RawHttp client = RawHttp.connect(outer.orElseThrow(), proxy.port())) {
      client.request("GET", proxy.path(StreamLink.to(origin.url("/v.mp4"))));
      assertRefused(client.answer("GET"));
      assertThat(origin.requests()).isEmpty();
      assertThat(proxy.output()).contains("without API_PASSWORD only loopback clients are served");
    }
  }

  @ParameterizedTest(autoCloseArguments = false)
  @MethodSource("containers")
  void refusesWhatAFrontEndPassesOn(Deployment proxy) throws IOException {
    StreamLink link = StreamLink.to("http://127.0.0.1:1/");
    assertRefused(proxy.fetch("GET", link, "X-Forwarded-For: 203.0.113.7"));
    assertRefused(proxy.fetch("GET", link, "Forwarded: for=203.0.113.7"));
  }

  @ParameterizedTest(autoCloseArguments = false)
  @MethodSource("containers")
  @Execution(ExecutionMode.CONCURRENT)
  void goesOn_afterPauseLongerThanContainersWait(Deployment proxy) throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(SIZE));
        RawHttp client = proxy.ask(16 << 10, StreamLink.to(origin.url("/v.mp4")))) {
      RawBody body = client.body("GET", client.head());
      body.count(1_000_000);
      Await.stays("open", LONGER_THAN_CONTAINERS, () -> origin.openConnections() == 1);
      assertThat(body.countAll())
          .isEqualTo(new CountedBody(SIZE - 1_000_000, -1, BodyEnd.COMPLETE));
    }
  }

  private static void assertRefused(RawAnswer answer) {
    assertThat(answer.status()).isEqualTo(403);
    assertThat(ErrorBody.of(answer).detail()).isEqualTo("Could not validate credentials");
  }
}
