package dev.millrace.app;

import dev.millrace.config.TlsConfig.PemFiles;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Optional;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.HTTP2Cipher;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * https on one port: TLS 1.2 and 1.3 with the JDK's ciphers, and HTTP/2 (RFC 9113) or HTTP/1.1 as
 * the client chooses by ALPN (RFC 7301). Loaded only when TLS is on, and with it everything of
 * HTTP/2 and Bouncy Castle.
 */
final class HttpsConnector {
  private static final Logger LOG = LoggerFactory.getLogger(HttpsConnector.class);

  private final SslContextFactory.Server tls = new SslContextFactory.Server();
  private final Optional<PemFiles> files;
  private final String host;

  /**
   * @param files absent: a certificate is made
   * @param host what the server binds
   */
  HttpsConnector(Optional<PemFiles> files, String host) {
    this.files = files;
    this.host = host;
  }

  /**
   * Reads or makes the certificate; before the server starts.
   *
   * @throws BadCertificateException if what the settings name cannot be used
   */
  void load(Instant now) throws BadCertificateException, GeneralSecurityException, IOException {
    ServerCertificate certificate;
    if (files.isPresent()) {
      certificate = PemCertificate.read(files.get(), now);
      LOG.info("Certificate valid until {}", certificate.leaf().getNotAfter().toInstant());
    } else {
      certificate = SelfSignedCertificate.make(host, now);
      LOG.info("Self-signed certificate, SHA-256 fingerprint {}", certificate.fingerprint());
    }
    tls.setKeyStore(certificate.toKeyStore());
  }

  /** Watches the files, if there are any; after the server has started. */
  Optional<CertificateRenewal> renewal() {
    return files.map(pem -> new CertificateRenewal(pem, this::use));
  }

  private void use(ServerCertificate renewed) throws Exception {
    var store = renewed.toKeyStore();
    tls.reload(factory -> factory.setKeyStore(store));
  }

  /** What a connector speaks, the first being what a connection begins with. */
  ConnectionFactory[] connectionFactories(HttpConfiguration http) {
    tls.setKeyManagerPassword(ServerCertificate.STORE_PASSWORD);
    tls.setIncludeProtocols("TLSv1.3", "TLSv1.2");
    tls.setCipherComparator(HTTP2Cipher.COMPARATOR);
    tls.setRenegotiationAllowed(false);
    HttpConfiguration secure = new HttpConfiguration(http);
    secure.addCustomizer(new SecureRequestCustomizer(false));
    HttpConnectionFactory http1 = new HttpConnectionFactory(secure);
    ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
    alpn.setDefaultProtocol(http1.getProtocol());
    SslConnectionFactory ssl = new SslConnectionFactory(tls, alpn.getProtocol());
    return new ConnectionFactory[] {
      new PlainHttpRefusal(ssl),
      ssl,
      alpn,
      new Http2ConnectionFactory(new HttpConfiguration(secure)),
      http1,
    };
  }
}
