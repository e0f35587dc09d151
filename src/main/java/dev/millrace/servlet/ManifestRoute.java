package dev.millrace.servlet;

import dev.millrace.proxy.HlsParameters;
import dev.millrace.stream.ExchangeException;
import java.io.IOException;

/** {@code /proxy/hls/manifest.m3u8}: a playlist whose addresses lead here, or any other body. */
public final class ManifestRoute implements Route {
  private static final String KEY_ROUTE = "key_proxy/";

  private final HlsServices services;

  public ManifestRoute(HlsServices services) {
    this.services = services;
  }

  @Override
  public void serve(RouteRequest request) throws ExchangeException, IOException {
    HlsParameters parameters =
        HlsParameters.parse(
            request.query(),
            request.match().suffix().startsWith(KEY_ROUTE),
            services.stream().proxyConfig());
    StreamExchange.start(
        services.stream(),
        request.clientRequest(),
        request.proxyResponse(),
        ManifestErrand.of(services, request, parameters),
        request.exchange());
  }
}
