package dev.millrace.config;

import dev.millrace.proxy.ProxyConfig;
import dev.millrace.servlet.OperationConfig;
import dev.millrace.servlet.RelayConfig;
import dev.millrace.upstream.UpstreamConfig;

/** Everything that can be set, by component. */
public record MillraceConfig(
    ServerConfig server,
    ProxyConfig proxy,
    UpstreamConfig upstream,
    RelayConfig relay,
    OperationConfig operation) {
  public static MillraceConfig defaults() {
    return new MillraceConfig(
        ServerConfig.defaults(),
        ProxyConfig.defaults(),
        UpstreamConfig.defaults(),
        RelayConfig.defaults(),
        OperationConfig.defaults());
  }
}
