package dev.millrace.cenc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CencConfigTest {
  @Test
  void hasTheDefaultsOfTheDocumentation() {
    assertThat(CencConfig.defaults()).isEqualTo(new CencConfig(CencConfig.Provider.JDK));
  }
}
