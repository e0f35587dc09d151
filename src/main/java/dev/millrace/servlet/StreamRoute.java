package dev.millrace.servlet;

import dev.millrace.proxy.ProxyParameters;
import dev.millrace.stream.ExchangeException;
import java.io.IOException;

/** {@code /proxy/stream}: any body, as it is. */
public final class StreamRoute implements Route {
  private final StreamServices services;

  public StreamRoute(StreamServices services) {
    this.services = services;
  }

  @Override
  public void serve(RouteRequest request) throws ExchangeException, IOException {
    ProxyParameters parameters =
        ProxyParameters.parse(request.query(), request.match().suffix(), services.proxyConfig());
    StreamExchange.start(
        services,
        request.clientRequest(),
        request.proxyResponse(),
        StreamErrand.of(services, services.fetcher(), request.clientRequest(), parameters),
        request.exchange());
  }
}
