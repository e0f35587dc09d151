package dev.millrace.app;

import dev.millrace.cenc.AesCiphers;
import dev.millrace.cenc.CencConfig;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/** The provider of AES that an operator has chosen; Bouncy Castle is loaded only if it is that. */
final class ChosenCiphers {
  private ChosenCiphers() {}

  static AesCiphers of(CencConfig config) {
    return switch (config.provider()) {
      case JDK -> AesCiphers.PLATFORM;
      case BC -> AesCiphers.of(new BouncyCastleProvider());
    };
  }
}
