package dev.millrace.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RelayConfigTest {
  @Test
  void hasTheseDefaults() {
    assertThat(RelayConfig.defaults())
        .hasToString("RelayConfig[clientIdleTimeout=PT1H, bufferMemoryBytes=201326592]");
  }
}
