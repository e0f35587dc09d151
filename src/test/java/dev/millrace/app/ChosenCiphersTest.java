package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cenc.AesCiphers;
import dev.millrace.cenc.CencConfig;
import java.security.Security;
import org.junit.jupiter.api.Test;

class ChosenCiphersTest {
  @Test
  void areThePlatforms() {
    assertThat(ChosenCiphers.of(CencConfig.defaults())).isSameAs(AesCiphers.PLATFORM);
  }

  @Test
  void areBouncyCastles_whichIsNotRegistered() {
    assertThat(ChosenCiphers.of(new CencConfig(CencConfig.Provider.BC)))
        .isNotSameAs(AesCiphers.PLATFORM);
    assertThat(Security.getProvider("BC")).isNull();
  }
}
