package dev.millrace.config;

import dev.millrace.cache.CacheConfig;
import dev.millrace.cenc.CencConfig;
import dev.millrace.link.LinkConfig;
import dev.millrace.proxy.FrontEndConfig;
import dev.millrace.proxy.HlsConfig;
import dev.millrace.proxy.ProxyConfig;
import dev.millrace.servlet.ForwardConfig;
import dev.millrace.servlet.OperationConfig;
import dev.millrace.servlet.RelayConfig;
import dev.millrace.upstream.PublicIpConfig;
import dev.millrace.upstream.UpstreamConfig;

/** Everything that can be set, by component. */
public record MillraceConfig(
    ServerConfig server,
    ProxyConfig proxy,
    UpstreamConfig upstream,
    RelayConfig relay,
    OperationConfig operation,
    LinkConfig link,
    FrontEndConfig frontEnd,
    PublicIpConfig publicIp,
    ForwardConfig forward,
    HlsConfig hls,
    CacheConfig cache,
    CencConfig cenc) {
  public static MillraceConfig defaults() {
    return new MillraceConfig(
        ServerConfig.defaults(),
        ProxyConfig.defaults(),
        UpstreamConfig.defaults(),
        RelayConfig.defaults(),
        OperationConfig.defaults(),
        LinkConfig.defaults(),
        FrontEndConfig.defaults(),
        PublicIpConfig.defaults(),
        ForwardConfig.defaults(),
        HlsConfig.defaults(),
        CacheConfig.defaults(),
        CencConfig.defaults());
  }
}
