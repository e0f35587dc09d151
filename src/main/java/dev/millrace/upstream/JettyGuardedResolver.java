package dev.millrace.upstream;

import dev.millrace.stream.OverBudgetException;
import dev.millrace.upstream.UpstreamException.Kind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.eclipse.jetty.client.Destination;
import org.eclipse.jetty.client.transport.HttpDestination;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.SocketAddressResolver;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Resolves names and lets {@link TargetPolicy} choose among the addresses. Every connection of the
 * client begins here and goes to one of the addresses returned, so what is checked is what is
 * connected.
 *
 * <p>Through a proxy the target is judged first, then the proxy itself is looked up, which is the
 * operator's choice and not judged. If the proxy takes addresses, it gets one that was judged. If
 * it looks names up, only addresses can be judged here, and names that are known to mean this
 * machine or somebody's own network.
 */
final class JettyGuardedResolver implements SocketAddressResolver {
  /** RFC 6761 §6.3, and what systems commonly list beside it. */
  private static final Pattern LOCAL_HOST =
      Pattern.compile("(.*\\.)?localhost(\\.localdomain)?\\.?|ip6-(localhost|loopback)\\.?");

  /**
   * Without a dot (RFC 6762 §22.1, appendix G; RFC 8375), reserved by ICANN for private use, and
   * what operators commonly use.
   */
  private static final Pattern OWN_NETWORK =
      Pattern.compile(
          "[^.]+\\.?|.*\\.(local|localdomain|internal|home\\.arpa|home|lan|intranet|private|corp)\\.?");

  private static final Pattern METADATA = Pattern.compile("metadata\\.google\\.internal\\.?");

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
    CompletableFuture<List<InetAddress>> found;
    if (context.get(Destination.CONTEXT_KEY) instanceof HttpDestination destination
        && destination.getProxy() instanceof JettyForwardProxy proxy) {
      found =
          judged(destination, proxy)
              .thenAccept(target -> connectTo(target, proxy, context))
              .thenCompose(judged -> lookUp(host, Kind.PROXY_FAILED));
    } else {
      found = judged(host, port);
    }
    var unused =
        found.whenComplete(
            (addresses, failure) -> {
              if (failure == null) {
                promise.succeeded(
                    addresses.stream()
                        .map(address -> new InetSocketAddress(address, port))
                        .toList());
              } else {
                promise.failed(
                    failure instanceof CompletionException ? failure.getCause() : failure);
              }
            });
  }

  /** The addresses that may be connected to; none if that is left to the proxy. */
  private CompletableFuture<List<InetAddress>> judged(
      HttpDestination destination, JettyForwardProxy proxy) {
    String host = destination.getHost();
    int port = destination.getPort();
    if (!proxy.resolvesNames() || host.startsWith("[") || HostName.isDottedQuad(host)) {
      return judged(host, port);
    }
    return meaning(host)
        .map(
            known ->
                CompletableFuture.completedFuture(List.of(known))
                    .thenApply(addresses -> permitted(host, port, addresses))
                    .thenApply(addresses -> List.<InetAddress>of()))
        .orElseGet(() -> CompletableFuture.completedFuture(List.of()));
  }

  /** An address like that of a name which says what it is; absent for all others. */
  private static Optional<InetAddress> meaning(String host) {
    if (LOCAL_HOST.matcher(host).matches()) {
      return Optional.of(InetAddress.getLoopbackAddress());
    }
    if (METADATA.matcher(host).matches()) {
      return Optional.of(address(169, 254, 169, 254));
    }
    return OWN_NETWORK.matcher(host).matches()
        ? Optional.of(address(192, 168, 0, 1))
        : Optional.empty();
  }

  private static InetAddress address(int... octets) {
    byte[] bytes = new byte[octets.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) octets[i];
    }
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new AssertionError("four octets", e);
    }
  }

  private CompletableFuture<List<InetAddress>> judged(String host, int port) {
    return lookUp(host, Kind.DNS_FAILED).thenApply(found -> permitted(host, port, found));
  }

  private static void connectTo(
      List<InetAddress> target, JettyForwardProxy proxy, Map<String, Object> context) {
    try {
      if (!target.isEmpty()) {
        proxy.connectTo(target, context);
      }
    } catch (UpstreamException e) {
      throw new CompletionException(e);
    }
  }

  private List<InetAddress> permitted(String host, int port, List<InetAddress> addresses) {
    try {
      return policy.permitted(host, port, addresses);
    } catch (TargetRefusedException e) {
      throw new CompletionException(e);
    }
  }

  private CompletableFuture<List<InetAddress>> lookUp(String host, Kind onFailure) {
    try {
      CompletableFuture<List<InetAddress>> found =
          CompletableFuture.supplyAsync(() -> addressesOf(host), resolvers);
      Scheduler.Task deadline =
          scheduler.schedule(
              () -> found.completeExceptionally(new TimeoutException()),
              timeout.toMillis(),
              TimeUnit.MILLISECONDS);
      return found
          .whenComplete((addresses, failure) -> deadline.cancel())
          .exceptionallyCompose(
              failure -> CompletableFuture.failedFuture(new UpstreamException(onFailure, failure)));
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(
          new OverBudgetException("resolver_busy", "Too many names are being resolved."));
    }
  }

  private static List<InetAddress> addressesOf(String host) {
    try {
      return List.of(InetAddress.getAllByName(host));
    } catch (UnknownHostException e) {
      throw new CompletionException(e);
    }
  }
}
