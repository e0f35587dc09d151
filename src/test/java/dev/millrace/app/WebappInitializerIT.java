package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.Deployment;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawBody;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The life of the web application in its container. */
@Timeout(120)
class WebappInitializerIT {
  private static final int NOT_DEPLOYED = 3;
  private static final int STREAMS = 50;

  static Stream<Named<Supplier<Deployment.Plan>>> containers() {
    return Stream.of(Named.of("Tomcat", Deployment::tomcat), Named.of("Jetty", Deployment::jetty));
  }

  @Test
  void readsJndiAboveContextParametersAboveJvmProperties() {
    Deployment.Plan plan =
        Deployment.tomcat()
            .set("TIMEOUT=12")
            .set("ORIGIN_QUEUE=7")
            .set("PORT=9999")
            .set("some.other.parameter=x")
            .add("--jndi", "TIMEOUT=13")
            .add("--jndi", "API_PASSWORD=hunter2")
            .property("millrace.ORIGIN_QUEUE=8")
            .property("millrace.CONNECT_TIMEOUT=9");
    try (Deployment proxy = plan.start()) {
      assertThat(proxy.output())
          .contains("TIMEOUT = 13 (JNDI TIMEOUT)")
          .contains("ORIGIN_QUEUE = 7 (context parameter ORIGIN_QUEUE)")
          .contains("CONNECT_TIMEOUT = 9 (JVM property CONNECT_TIMEOUT)")
          .contains("Set, but the container decides: PORT")
          .contains("API_PASSWORD = *** (JNDI API_PASSWORD)")
          .doesNotContain("hunter2");
    }
  }

  @ParameterizedTest
  @MethodSource("containers")
  void doesNotDeploy_withBadSettings_andTellsAllOfThem(Supplier<Deployment.Plan> container)
      throws InterruptedException {
    Deployment.Plan plan = container.get().set("TIMEOUT=soon").set("API_PASSWORD=changeme");
    try (Deployment refused = plan.set("MILLRACE_SPEED=9").start()) {
      assertThat(refused.exit()).isEqualTo(NOT_DEPLOYED);
      assertThat(refused.output())
          .contains("TIMEOUT (context parameter TIMEOUT): \"soon\"")
          .contains("API_PASSWORD (context parameter API_PASSWORD): refused")
          .contains("MILLRACE_SPEED (context parameter): unknown setting")
          .doesNotContain("\"changeme\"");
    }
  }

  @Test
  void doesNotDeploy_inContainersOfServlet60_andSaysWhatItNeeds() throws InterruptedException {
    try (Deployment refused = Deployment.oldTomcat().start()) {
      assertThat(refused.exit()).isEqualTo(NOT_DEPLOYED);
      assertThat(refused.output())
          .contains("Millrace needs a container of Servlet 6.1 (Tomcat 11, Jetty 12.1 with ee11)")
          .contains("this one has Servlet 6.0");
    }
  }

  @ParameterizedTest
  @CsvSource({"6,1", "6,2", "7,0"})
  void startsInContainersOfServlet61AndLater(int major, int minor) {
    WebappInitializer.requireServletLevel(major, minor);
  }

  @ParameterizedTest
  @MethodSource("containers")
  void leavesNoThread_andAbortsWhatRuns_whenItIsUndeployed(Supplier<Deployment.Plan> container)
      throws IOException {
    try (OriginServer origin =
            OriginServer.start(ToyOrigins.trickle(1_000, Duration.ofMillis(20)));
        Deployment proxy = container.get().set("ALLOW_TARGETS=loopback").start()) {
      List<RawBody> bodies = new ArrayList<>();
      for (int i = 0; i < STREAMS; i++) {
        RawHttp client = proxy.ask(0, StreamLink.to(origin.url("/v.ts")));
        bodies.add(client.body("GET", client.head()));
      }
      bodies.forEach(body -> body.count(1_000));
      assertThat(proxy.undeploy()).doesNotContain("left over");
      assertThat(bodies).allMatch(body -> body.countAll().end().isAbort());
      Await.until("origins closed", Duration.ofSeconds(10), () -> origin.openConnections() == 0);
    }
  }
}
