package dev.millrace.app;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * What a server proves its name with.
 *
 * @param key of the first certificate
 * @param chain leaf first, at least one
 */
record ServerCertificate(PrivateKey key, List<X509Certificate> chain) {
  /** Protects nothing: the key store never leaves the process. */
  static final String STORE_PASSWORD = "in memory";

  ServerCertificate {
    chain = List.copyOf(chain);
  }

  /** In the form that the JDK's TLS takes. */
  KeyStore toKeyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        "millrace", key, STORE_PASSWORD.toCharArray(), chain.toArray(new X509Certificate[0]));
    return store;
  }

  X509Certificate leaf() {
    return chain.get(0);
  }

  /** SHA-256 of the leaf, in the notation that browsers and openssl show. */
  String fingerprint() throws GeneralSecurityException {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(leaf().getEncoded());
    return HexFormat.ofDelimiter(":").formatHex(digest).toUpperCase(Locale.ROOT);
  }

  /** Hides the key. */
  @Override
  public String toString() {
    return "ServerCertificate[" + leaf().getSubjectX500Principal() + "]";
  }
}
