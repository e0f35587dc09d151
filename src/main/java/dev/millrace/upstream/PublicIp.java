package dev.millrace.upstream;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The public address of this server: as a setting says, or as services tell that are asked through
 * the outbound proxy that the destination would be reached through.
 *
 * <p><b>Concurrency.</b> Whoever asks first for a way looks it up, everybody else who asks
 * meanwhile waits for the same answer. One lock guards the map of answers; nothing is called while
 * it is held.
 *
 * <p><b>Limits.</b> Services are asked in turn, each has {@link PublicIpQuestion#MAX_TIME}. An
 * address is believed for {@link #FRESH}, a failure for {@link #FRESH_FAILURE}. One answer is kept
 * per outbound proxy, and of those there are as many as are configured.
 */
public final class PublicIp implements PublicIpSource {
  static final Duration FRESH = Duration.ofSeconds(60);
  static final Duration FRESH_FAILURE = Duration.ofSeconds(5);

  /** Sends by a way that need not be that of the request's own target. */
  @FunctionalInterface
  interface RoutedUpstream {
    Upstream.Exchange send(
        UpstreamRequest request, OutboundRoute route, Upstream.Listener listener);
  }

  private final Optional<String> own;
  private final List<Target> services;
  private final Function<Target, OutboundRoute> routes;
  private final RoutedUpstream upstream;
  private final ScheduledExecutorService timer;
  private final LongSupplier nanoTime;
  private final Map<Optional<ForwardProxy>, Lookup> lookups = new HashMap<>();

  PublicIp(
      PublicIpConfig config,
      Function<Target, OutboundRoute> routes,
      RoutedUpstream upstream,
      ScheduledExecutorService timer,
      LongSupplier nanoTime) {
    this.own = config.address();
    this.services = config.services().stream().map(PublicIp::target).toList();
    this.routes = routes;
    this.upstream = upstream;
    this.timer = timer;
    this.nanoTime = nanoTime;
  }

  /**
   * Asks over {@code upstream}, so that targets are checked and routed as those of streams are.
   *
   * @param timer for the time-outs; its tasks never block
   * @param nanoTime like {@link System#nanoTime()}
   */
  public static PublicIp over(
      JettyUpstream upstream,
      PublicIpConfig config,
      ScheduledExecutorService timer,
      LongSupplier nanoTime) {
    return new PublicIp(config, upstream::routeTo, upstream::send, timer, nanoTime);
  }

  private static Target target(String service) {
    try {
      return Target.parse(service);
    } catch (BadTargetException e) {
      throw new IllegalArgumentException("a service that tells the public address", e);
    }
  }

  /** The address that a destination without a rule of its own sees: the first service. */
  public CompletionStage<String> address() {
    return services.isEmpty()
        ? own.map(CompletableFuture::completedStage).orElseGet(this::unknown)
        : addressFor(services.get(0));
  }

  @Override
  public CompletionStage<String> addressFor(Target destination) {
    if (own.isPresent()) {
      return CompletableFuture.completedStage(own.get());
    }
    Optional<ForwardProxy> proxy = routes.apply(destination).proxy();
    Lookup lookup;
    synchronized (lookups) {
      Lookup known = lookups.get(proxy);
      if (known != null && known.isFresh()) {
        return known.address.minimalCompletionStage();
      }
      lookup = new Lookup(proxy);
      lookups.put(proxy, lookup);
    }
    lookup.ask(0);
    return lookup.address.minimalCompletionStage();
  }

  private CompletionStage<String> unknown() {
    return CompletableFuture.failedStage(new PublicIpUnknownException(FRESH_FAILURE));
  }

  /** One way, and the address at its end. */
  private final class Lookup {
    private final Optional<ForwardProxy> proxy;
    private final CompletableFuture<String> address = new CompletableFuture<>();

    /** Set before {@link #address} is complete. */
    private volatile long staleNanos;

    Lookup(Optional<ForwardProxy> proxy) {
      this.proxy = proxy;
    }

    boolean isFresh() {
      return !address.isDone() || nanoTime.getAsLong() - staleNanos < 0;
    }

    void ask(int index) {
      if (index == services.size()) {
        staleNanos = nanoTime.getAsLong() + FRESH_FAILURE.toNanos();
        address.completeExceptionally(new PublicIpUnknownException(FRESH_FAILURE));
        return;
      }
      Target service = services.get(index);
      // the destination's proxy, but a destination whose certificate nobody checks lends us nothing
      OutboundRoute route = new OutboundRoute(proxy, routes.apply(service).verifyTls());
      PublicIpQuestion.ask(
          service,
          (request, listener) -> upstream.send(request, route, listener),
          timer,
          told -> told.ifPresentOrElse(this::tell, () -> ask(index + 1)));
    }

    private void tell(String told) {
      staleNanos = nanoTime.getAsLong() + FRESH.toNanos();
      address.complete(told);
    }
  }
}
