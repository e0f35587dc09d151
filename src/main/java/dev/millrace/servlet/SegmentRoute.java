package dev.millrace.servlet;

import dev.millrace.proxy.DashSegmentParameters;
import dev.millrace.proxy.ProxyParameters;
import dev.millrace.proxy.SegmentDecryption;
import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.Fetching;
import java.io.IOException;
import java.util.Optional;

/**
 * {@code /proxy/hls/segment.…}: what a playlist leads to. The ending is for the player; any will
 * do, and a name for the file may follow: {@code segment.ts/Name.ts}.
 */
public final class SegmentRoute implements Route {
  private static final String NAME = "segment.";

  private final StreamServices services;
  private final Fetching.Source source;
  private final ClearMediaServices clear;

  /**
   * @param source where segments and keys come from
   * @param clear for segments whose samples are encrypted
   */
  public SegmentRoute(StreamServices services, Fetching.Source source, ClearMediaServices clear) {
    this.services = services;
    this.source = source;
    this.clear = clear;
  }

  @Override
  public void serve(RouteRequest request) throws ExchangeException, IOException {
    String ending = request.match().suffix().substring(NAME.length()).replaceFirst("/.*", "");
    if (ending.isEmpty()) {
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
    Optional<DashSegmentParameters> samples =
        DashSegmentParameters.ofHls(request.query(), services.proxyConfig());
    if (samples.isPresent()) {
      return MpdSegmentRoute.errand(clear, request, samples.get());
    }
    Optional<SegmentDecryption> decryption = SegmentDecryption.of(request.query());
    String method = request.clientRequest().getMethod();
    return decryption.isPresent()
        ? new ClearSegmentErrand(services, source, method, parameters, decryption.get())
        : StreamErrand.of(services, source, request.clientRequest(), parameters);
  }
}
