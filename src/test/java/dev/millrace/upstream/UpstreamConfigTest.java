package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UpstreamConfigTest {
  @Test
  void hasTheseDefaults() {
    assertThat(UpstreamConfig.defaults())
        .hasToString(
            "UpstreamConfig[gatePermits=10, gateWaiting=1024, gateTimeout=PT15S,"
                + " maxConnections=256, connectTimeout=PT15S, headerTimeout=PT1M, idleTimeout=PT1M,"
                + " pooledIdleTimeout=PT15S, resolveTimeout=PT2.5S, maxRedirects=10,"
                + " allowTargets=[], verifyTls=true, resume=ResumeConfig[enabled=true, attempts=2,"
                + " delay=PT1S, budget=PT30S], routes=RouteConfig[routes=[],"
                + " proxyUrl=Optional.empty, allProxy=false], http2=false]");
  }
}
