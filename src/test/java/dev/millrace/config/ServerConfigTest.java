package dev.millrace.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServerConfigTest {
  @Test
  void hasTheseDefaults() {
    assertThat(ServerConfig.defaults())
        .hasToString(
            "ServerConfig[host=127.0.0.1, port=8888, acceptQueue=1024, idleTimeout=PT30S,"
                + " drainTimeout=PT30S, tls=Optional.empty]");
  }
}
