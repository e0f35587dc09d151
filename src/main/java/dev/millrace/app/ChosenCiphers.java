package dev.millrace.app;

import dev.millrace.cenc.AesCiphers;
import dev.millrace.cenc.CencConfig;
import java.security.Provider;
import java.security.Security;

/**
 * The provider of AES that an operator has chosen. Bouncy Castle is the one that is registered, or
 * our own; the WAR brings none.
 */
final class ChosenCiphers {
  /** By its name: the WAR has none, and the verifier would look for it. */
  private static final String BOUNCY_CASTLE = "org.bouncycastle.jce.provider.BouncyCastleProvider";

  private ChosenCiphers() {}

  /**
   * @throws IllegalStateException if the provider is not here
   */
  static AesCiphers of(CencConfig config) {
    return switch (config.provider()) {
      case JDK -> AesCiphers.PLATFORM;
      case BC -> AesCiphers.of(bouncyCastle());
    };
  }

  private static Provider bouncyCastle() {
    Provider registered = Security.getProvider("BC");
    if (registered != null) {
      return registered;
    }
    try {
      return Class.forName(BOUNCY_CASTLE).asSubclass(Provider.class).getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "CRYPTO_PROVIDER: BC is not part of the WAR; add bcprov to the container's class path, or"
              + " choose JDK",
          e);
    }
  }
}
