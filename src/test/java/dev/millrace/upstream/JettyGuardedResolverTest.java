package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.stream.OverBudgetException;
import dev.millrace.upstream.UpstreamException.Kind;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.eclipse.jetty.util.thread.Scheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class JettyGuardedResolverTest {
  private final Scheduler scheduler = new ScheduledExecutorScheduler("deadlines", true);

  @BeforeEach
  void startScheduler() {
    LifeCycle.start(scheduler);
  }

  @AfterEach
  void stopScheduler() {
    LifeCycle.stop(scheduler);
  }

  private CompletableFuture<List<InetSocketAddress>> resolve(
      String host, Executor resolvers, String... allowed) {
    JettyGuardedResolver resolver =
        new JettyGuardedResolver(
            TargetPolicy.of(List.of(allowed)), resolvers, scheduler, Duration.ofMillis(50));
    CompletableFuture<List<InetSocketAddress>> answer = new CompletableFuture<>();
    resolver.resolve(
        host, 80, Map.of(), Promise.from(answer::complete, answer::completeExceptionally));
    return answer;
  }

  private static Throwable failure(CompletableFuture<?> answer) {
    return answer.orTimeout(5, TimeUnit.SECONDS).handle((found, thrown) -> thrown).join();
  }

  @Test
  void givesWhatPolicyAdmits() {
    assertThat(resolve("127.0.0.1", Runnable::run, "loopback").join())
        .extracting(InetSocketAddress::toString)
        .containsExactly("/127.0.0.1:80");
  }

  @Test
  void refusesInternalAddress() {
    assertThat(failure(resolve("127.0.0.1", Runnable::run)))
        .isInstanceOf(TargetRefusedException.class);
  }

  @Test
  void fails_whenNameIsUnknown() {
    assertThat(failure(resolve("nx.invalid", Runnable::run)))
        .isInstanceOfSatisfying(
            UpstreamException.class, e -> assertThat(e.kind()).isEqualTo(Kind.DNS_FAILED));
  }

  @Test
  void fails_whenNoResolverIsFreeInTime() {
    assertThat(failure(resolve("slow.example", lookup -> {})))
        .isInstanceOfSatisfying(
            UpstreamException.class, e -> assertThat(e.kind()).isEqualTo(Kind.DNS_FAILED));
  }

  @Test
  void refuses_whenTooManyNamesWait() {
    Executor full =
        lookup -> {
          throw new RejectedExecutionException("full");
        };
    assertThat(failure(resolve("one.example", full))).isInstanceOf(OverBudgetException.class);
  }
}
