package dev.millrace.servlet;

import dev.millrace.proxy.DashSegmentParameters;
import dev.millrace.proxy.DashSegmentPlanner;
import dev.millrace.proxy.ProxyConfig;
import dev.millrace.stream.ExchangeException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Optional;

/**
 * {@code /proxy/mpd/segment.mp4} and {@code /proxy/mpd/init.mp4}: media of presentations, clear if
 * there are keys. A range of the client is one of what it gets, and never reaches the origin.
 */
public final class MpdSegmentRoute implements Route {
  private static final String INIT = "init.mp4";
  private static final String SEGMENT = "segment.mp4";

  private final ClearMediaServices services;

  public MpdSegmentRoute(ClearMediaServices services) {
    this.services = services;
  }

  @Override
  public void serve(RouteRequest request) throws ExchangeException, IOException {
    ProxyConfig config = services.stream().proxyConfig();
    switch (request.match().suffix()) {
      case SEGMENT -> {
        DashSegmentParameters parameters =
            DashSegmentParameters.ofSegment(request.query(), config);
        start(request, new MpdSegmentErrand(services, parameters, answer(request, parameters)));
      }
      case INIT -> {
        DashSegmentParameters parameters = DashSegmentParameters.ofInit(request.query(), config);
        start(request, new InitErrand(services, parameters, answer(request, parameters)));
      }
      default ->
          ErrorMapper.plain(404, "Not Found")
              .send(request.clientRequest(), request.proxyResponse());
    }
  }

  private void start(RouteRequest request, Errand errand) throws ExchangeException, IOException {
    StreamExchange.start(
        services.stream(),
        request.clientRequest(),
        request.proxyResponse(),
        errand,
        request.exchange());
  }

  private static ClearMediaAnswer answer(RouteRequest request, DashSegmentParameters parameters) {
    HttpServletRequest client = request.clientRequest();
    DashSegmentPlanner.Wanted wanted =
        new DashSegmentPlanner.Wanted(
            Optional.ofNullable(client.getHeader("Range")),
            Optional.ofNullable(client.getHeader("If-Range")));
    return new ClearMediaAnswer(parameters, wanted, request.isHead());
  }
}
