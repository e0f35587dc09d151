package dev.millrace.servlet;

import dev.millrace.proxy.DashParameters;
import dev.millrace.proxy.NotOfferedException;
import dev.millrace.stream.ExchangeException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code /proxy/mpd/…}: a presentation as HLS, and what its playlists lead to. */
public final class MpdRoute implements Route {
  private static final Logger LOG = LoggerFactory.getLogger(MpdRoute.class);

  private final DashServices services;
  private final Route segments;
  private final AtomicBoolean hasWarned = new AtomicBoolean();

  /**
   * @param segments {@code segment.mp4} and {@code init.mp4}
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
      case "segment.mp4", "init.mp4" -> segments.serve(request);
      case "segment.ts" -> throw NotOfferedException.notBuilt("DASH segments as MPEG-TS");
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
    if (parameters.isTransportStream() && hasWarned.compareAndSet(false, true)) {
      LOG.warn("remux_to_ts is not built: what asks for it gets fragmented MP4");
    }
    StreamExchange.start(
        streams,
        request.clientRequest(),
        request.proxyResponse(),
        new MpdErrand(services, request, parameters),
        request.exchange());
  }
}
