package dev.millrace.servlet;

import dev.millrace.proxy.HlsParameters;
import dev.millrace.stream.ExchangeException;
import java.io.IOException;

/**
 * {@code /proxy/hls/list.json}: what playlists refer to in JSON, steering manifests and asset
 * lists, with addresses that lead here.
 */
public final class ListRoute implements Route {
  private final HlsServices services;

  public ListRoute(HlsServices services) {
    this.services = services;
  }

  @Override
  public void serve(RouteRequest request) throws ExchangeException, IOException {
    HlsParameters parameters =
        HlsParameters.parse(request.query(), false, services.stream().proxyConfig());
    StreamExchange.start(
        services.stream(),
        request.clientRequest(),
        request.proxyResponse(),
        new ListErrand(services, request, parameters),
        request.exchange());
  }
}
