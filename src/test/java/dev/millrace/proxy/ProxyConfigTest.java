package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProxyConfigTest {
  @Test
  void hasTheseDefaults() {
    assertThat(ProxyConfig.defaults())
        .hasToString(
            "ProxyConfig[apiPassword=none, loopbackOnly=false, userAgent=Mozilla/5.0 (Windows NT 10.0; Win64; x64)"
                + " AppleWebKit/537.36 (KHTML, like Gecko) Chrome/136.0.0.0 Safari/537.36,"
                + " allowHostHeader=false]");
  }

  @Test
  void neverShowsThePassword() {
    assertThat(new ProxyConfig(Optional.of("hush"), false, "ua", true))
        .hasToString(
            "ProxyConfig[apiPassword=***, loopbackOnly=false, userAgent=ua, allowHostHeader=true]");
  }
}
