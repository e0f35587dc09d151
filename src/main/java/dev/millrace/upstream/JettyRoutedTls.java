package dev.millrace.upstream;

import java.util.Map;
import javax.net.ssl.SSLEngine;
import org.eclipse.jetty.client.Destination;
import org.eclipse.jetty.client.transport.HttpDestination;
import org.eclipse.jetty.io.ssl.SslClientConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/**
 * Decides for each connection whether the certificate of its peer is checked, so that one client
 * serves strict and lax routes. A proxy's own certificate is checked whatever its routes say.
 */
final class JettyRoutedTls extends SslContextFactory.Client
    implements SslClientConnectionFactory.SslEngineFactory {
  private final SslContextFactory.@Nullable Client lax;

  private JettyRoutedTls(boolean verify, SslContextFactory.@Nullable Client lax) {
    super(!verify);
    this.lax = lax;
  }

  /**
   * @param verify whether certificates are checked where no route says otherwise
   * @param hasUnverified whether some routes say otherwise; only then what is lax is made
   */
  static JettyRoutedTls of(boolean verify, boolean hasUnverified) {
    SslContextFactory.Client lax =
        verify && hasUnverified ? withoutHostCheck(new SslContextFactory.Client(true)) : null;
    JettyRoutedTls tls = new JettyRoutedTls(verify, lax);
    if (lax != null) {
      tls.addBean(lax);
    }
    return verify ? tls : withoutHostCheck(tls);
  }

  private static <F extends SslContextFactory.Client> F withoutHostCheck(F factory) {
    factory.setEndpointIdentificationAlgorithm(null);
    return factory;
  }

  @Override
  public SSLEngine newSslEngine(String host, int port, Map<String, Object> context) {
    return lax != null && isLax(context) ? lax.newSSLEngine(host, port) : newSSLEngine(host, port);
  }

  private static boolean isLax(Map<String, Object> context) {
    return context.get(Destination.CONTEXT_KEY) instanceof HttpDestination destination
        && destination.getOrigin().getTag() instanceof JettyRouteTag tag
        && !tag.route().verifyTls()
        && (destination.getProxy() == null || context.containsKey(JettyTunnel.ESTABLISHED));
  }
}
