package dev.millrace.upstream;

import dev.millrace.stream.OverBudgetException;
import dev.millrace.upstream.UpstreamException.Kind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.SocketAddressResolver;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Resolves names and lets {@link TargetPolicy} choose among the addresses. Every connection of the
 * client begins here and goes to one of the addresses returned, so what is checked is what is
 * connected.
 */
final class JettyGuardedResolver implements SocketAddressResolver {
  private final TargetPolicy policy;
  private final Executor resolvers;
  private final Scheduler scheduler;
  private final Duration timeout;

  /**
   * @param scheduler not the JDK's own timer of futures: its thread would outlive a web application
   * @param timeout from the request to the answer, waiting for a resolver included
   */
  JettyGuardedResolver(
      TargetPolicy policy, Executor resolvers, Scheduler scheduler, Duration timeout) {
    this.policy = policy;
    this.resolvers = resolvers;
    this.scheduler = scheduler;
    this.timeout = timeout;
  }

  @Override
  public void resolve(
      String host,
      int port,
      Map<String, Object> context,
      Promise<List<InetSocketAddress>> promise) {
    try {
      CompletableFuture<List<InetAddress>> found =
          CompletableFuture.supplyAsync(() -> lookUp(host), resolvers);
      Scheduler.Task deadline =
          scheduler.schedule(
              () -> found.completeExceptionally(new TimeoutException()),
              timeout.toMillis(),
              TimeUnit.MILLISECONDS);
      var unused =
          found.whenComplete(
              (addresses, failure) -> {
                deadline.cancel();
                if (failure == null) {
                  admit(host, port, addresses, promise);
                } else {
                  promise.failed(new UpstreamException(Kind.DNS_FAILED, failure));
                }
              });
    } catch (RejectedExecutionException e) {
      promise.failed(
          new OverBudgetException("resolver_busy", "Too many names are being resolved."));
    }
  }

  private static List<InetAddress> lookUp(String host) {
    try {
      return List.of(InetAddress.getAllByName(host));
    } catch (UnknownHostException e) {
      throw new CompletionException(e);
    }
  }

  private void admit(
      String host,
      int port,
      List<InetAddress> addresses,
      Promise<List<InetSocketAddress>> promise) {
    try {
      promise.succeeded(
          policy.permitted(host, port, addresses).stream()
              .map(address -> new InetSocketAddress(address, port))
              .toList());
    } catch (TargetRefusedException e) {
      promise.failed(e);
    }
  }
}
