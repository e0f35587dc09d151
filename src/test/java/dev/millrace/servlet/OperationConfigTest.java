package dev.millrace.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OperationConfigTest {
  @Test
  void hasTheseDefaults() {
    assertThat(OperationConfig.defaults())
        .hasToString(
            "OperationConfig[metrics=true, accessLog=true, homePage=true, docs=true,"
                + " speedTest=true]");
  }
}
