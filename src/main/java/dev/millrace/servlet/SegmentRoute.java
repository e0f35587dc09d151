package dev.millrace.servlet;

import dev.millrace.proxy.ProxyParameters;
import dev.millrace.proxy.SegmentDecryption;
import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.Fetching;
import java.io.IOException;
import java.util.Optional;

/**
 * {@code /proxy/hls/segment.…}: what a playlist leads to. The ending is for the player; any will
 * do.
 */
public final class SegmentRoute implements Route {
  private static final String NAME = "segment.";

  private final StreamServices services;
  private final Fetching.Source source;

  /**
   * @param source where segments and keys come from
   */
  public SegmentRoute(StreamServices services, Fetching.Source source) {
    this.services = services;
    this.source = source;
  }

  @Override
  public void serve(RouteRequest request) throws ExchangeException, IOException {
    String file = request.match().suffix();
    String ending = file.substring(NAME.length());
    if (ending.isEmpty() || ending.indexOf('/') >= 0) {
      ErrorMapper.plain(404, "Not Found").send(request.clientRequest(), request.proxyResponse());
      return;
    }
    ProxyParameters parameters =
        ProxyParameters.ofSegment(request.query(), ending, services.proxyConfig());
    StreamExchange.start(
        services,
        request.clientRequest(),
        request.proxyResponse(),
        errand(request, parameters),
        request.exchange());
  }

  private Errand errand(RouteRequest request, ProxyParameters parameters) throws ExchangeException {
    Optional<SegmentDecryption> decryption = SegmentDecryption.of(request.query());
    String method = request.clientRequest().getMethod();
    return decryption.isPresent()
        ? new ClearSegmentErrand(services, source, method, parameters, decryption.get())
        : StreamErrand.of(services, source, request.clientRequest(), parameters);
  }
}
