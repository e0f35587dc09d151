package dev.millrace.upstream;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
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
  private final SocketAddressResolver dns;

  JettyGuardedResolver(
      TargetPolicy policy, Executor executor, Scheduler scheduler, Duration timeout) {
    this.policy = policy;
    this.dns = new SocketAddressResolver.Async(executor, scheduler, timeout.toMillis());
  }

  @Override
  public void resolve(
      String host,
      int port,
      Map<String, Object> context,
      Promise<List<InetSocketAddress>> promise) {
    dns.resolve(
        host,
        port,
        context,
        Promise.from(found -> admit(host, port, found, promise), e -> fail(e, promise)));
  }

  private void admit(
      String host,
      int port,
      List<InetSocketAddress> found,
      Promise<List<InetSocketAddress>> promise) {
    List<InetAddress> addresses = found.stream().map(InetSocketAddress::getAddress).toList();
    try {
      promise.succeeded(
          policy.permitted(host, port, addresses).stream()
              .map(address -> new InetSocketAddress(address, port))
              .toList());
    } catch (TargetRefusedException e) {
      promise.failed(e);
    }
  }

  private static void fail(Throwable cause, Promise<List<InetSocketAddress>> promise) {
    promise.failed(new UpstreamException(UpstreamException.Kind.DNS_FAILED, cause));
  }
}
