package dev.millrace.upstream;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.client.Destination;
import org.eclipse.jetty.client.Origin;
import org.eclipse.jetty.client.ProxyConfiguration;
import org.eclipse.jetty.client.transport.HttpDestination;
import org.eclipse.jetty.io.ClientConnectionFactory;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;

/**
 * Leads the connections of those destinations through a {@link ForwardProxy} whose {@link
 * JettyRouteTag} says so. Jetty's own classes for proxies are not used: of SOCKS they report
 * neither cause nor silence, have no login for version 4 and send names where an address was
 * judged.
 */
final class JettyForwardProxy extends ProxyConfiguration.Proxy {
  /** In the context of a connection: the address of the target, looked up and judged here. */
  private static final String TARGET_ADDRESS = JettyForwardProxy.class.getName();

  private static final Origin.Protocol HTTP_1_1 = new Origin.Protocol(List.of("http/1.1"), false);

  private final ForwardProxy proxy;

  JettyForwardProxy(ForwardProxy proxy) {
    super(new Origin.Address(proxy.host(), proxy.port()), proxy.isSecure(), null, HTTP_1_1);
    this.proxy = proxy;
  }

  @Override
  public boolean matches(Origin origin) {
    return origin.getTag() instanceof JettyRouteTag tag
        && tag.route().proxy().filter(proxy::equals).isPresent();
  }

  boolean resolvesNames() {
    return proxy.resolvesNames();
  }

  /**
   * Sends the first of these addresses instead of a name.
   *
   * @param permitted not empty
   * @throws UpstreamException if the proxy can be sent none of them
   */
  void connectTo(List<InetAddress> permitted, Map<String, Object> context)
      throws UpstreamException {
    boolean isIpv4Only =
        switch (proxy.protocol()) {
          case SOCKS4, SOCKS4A -> true;
          case SOCKS5, SOCKS5H, HTTP, HTTPS -> false;
        };
    Optional<InetAddress> address =
        permitted.stream()
            .filter(candidate -> !isIpv4Only || candidate instanceof Inet4Address)
            .findFirst();
    if (address.isEmpty()) {
      throw UpstreamException.refusedByProxy("SOCKS 4 carries no IPv6 address");
    }
    context.put(TARGET_ADDRESS, address.get());
  }

  @Override
  public ClientConnectionFactory newClientConnectionFactory(ClientConnectionFactory inner) {
    return new ThroughProxy(inner);
  }

  private final class ThroughProxy extends ClientConnectionFactory.Wrapper {
    ThroughProxy(ClientConnectionFactory inner) {
      super(inner);
    }

    @Override
    public Connection newConnection(EndPoint endPoint, Map<String, Object> context)
        throws IOException {
      HttpDestination destination =
          (HttpDestination) requireNonNull(context.get(Destination.CONTEXT_KEY));
      if (proxy.isHttp() && !destination.isSecure()) {
        return getWrapped().newConnection(endPoint, context);
      }
      context.remove(JettyTunnel.ESTABLISHED);
      JettyTunnel tunnel =
          new JettyTunnel(
              endPoint, destination, getWrapped(), context, handshake(destination, context));
      return customize(tunnel, context);
    }

    private TunnelHandshake handshake(HttpDestination destination, Map<String, Object> context) {
      return TunnelHandshake.of(
          proxy,
          JettyTunnel.hostOf(destination),
          destination.getPort(),
          Optional.ofNullable((InetAddress) context.get(TARGET_ADDRESS)));
    }
  }
}
