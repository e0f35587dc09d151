package dev.millrace.servlet;

import dev.millrace.proxy.DashParameters;
import dev.millrace.proxy.NotOfferedException;
import dev.millrace.stream.ExchangeException;
import java.io.IOException;

/** {@code /proxy/mpd/…}: a presentation as HLS, and what its playlists lead to. */
public final class MpdRoute implements Route {
  private final DashServices services;
  private final Route segments;

  /**
   * @param segments {@code segment.mp4}, {@code segment.ts} and {@code init.mp4}
   */
  public MpdRoute(DashServices services, Route segments) {
    this.services = services;
    this.segments = segments;
  }

  @Override
  public void serve(RouteRequest request) throws ExchangeException, IOException {
    switch (request.match().suffix()) {
      case "manifest.m3u8" -> playlist(request, false);
      case "playlist.m3u8" -> playlist(request, true);
      case "segment.mp4", "segment.ts", "init.mp4" -> segments.serve(request);
      case "manifest.mpd" -> throw NotOfferedException.notBuilt("DASH manifests as DASH");
      default ->
          ErrorMapper.plain(404, "Not Found")
              .send(request.clientRequest(), request.proxyResponse());
    }
  }

  private void playlist(RouteRequest request, boolean isOfProfile)
      throws ExchangeException, IOException {
    StreamServices streams = services.hls().stream();
    DashParameters parameters =
        DashParameters.parse(request.query(), isOfProfile, streams.proxyConfig());
    StreamExchange.start(
        streams,
        request.clientRequest(),
        request.proxyResponse(),
        new MpdErrand(services, request, parameters),
        request.exchange());
  }
}
