package dev.millrace.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What the standalone server proves its name with.
 *
 * @param pem absent: a self-signed certificate is made at each start
 */
public record TlsConfig(Optional<PemFiles> pem) {
  public static final TlsConfig SELF_SIGNED = new TlsConfig(Optional.empty());

  /**
   * Files in PEM form (RFC 7468).
   *
   * @param certificate the chain, leaf first
   * @param key the private key of the leaf
   * @param keyPassword what opens the key; secret
   */
  public record PemFiles(Path certificate, Path key, Optional<String> keyPassword) {}
}
