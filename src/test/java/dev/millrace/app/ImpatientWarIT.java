package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.Deployment;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawBody;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Our own limit on a client that takes nothing, where the container may be amid a write to it. */
@Timeout(120)
class ImpatientWarIT {
  private static final Duration SOON = Duration.ofSeconds(20);

  /** More than there is room for. */
  private static final int CLIENTS = 20;

  static Stream<Named<Supplier<Deployment.Plan>>> containers() {
    return Stream.of(Named.of("Tomcat", Deployment::tomcat), Named.of("Jetty", Deployment::jetty));
  }

  @ParameterizedTest
  @MethodSource("containers")
  void abortsClientsThatTakeNothing_andGivesEverythingBack(Supplier<Deployment.Plan> container)
      throws IOException {
    Deployment.Plan plan = container.get().set("ALLOW_TARGETS=loopback").set("BUFFER_MEMORY=1m");
    try (Deployment proxy = plan.set("CLIENT_IDLE_TIMEOUT=0.5").start();
        OriginServer origin = OriginServer.start(ToyOrigins.endless())) {
      for (int i = 0; i < CLIENTS; i++) {
        try (RawHttp client = proxy.ask(16 << 10, StreamLink.to(origin.url("/v.ts")))) {
          RawBody body = client.body("GET", client.head());
          assertThat(body.count(1_000).length()).isEqualTo(1_000);
          Await.until("origin closed", SOON, () -> origin.openConnections() == 0);
          assertThat(body.countAll().end()).matches(BodyEnd::isAbort);
        }
      }
    }
  }
}
