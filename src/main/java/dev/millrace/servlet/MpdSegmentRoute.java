package dev.millrace.servlet;

import dev.millrace.proxy.DashSegmentParameters;
import dev.millrace.proxy.DashSegmentPlanner;
import dev.millrace.proxy.ProxyConfig;
import dev.millrace.stream.ExchangeException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Optional;

/**
 * {@code /proxy/mpd/segment.mp4}, {@code segment.ts} and {@code init.mp4}: media of presentations,
 * clear if there are keys. A range of the client is one of what it gets, and never reaches the
 * origin; of MPEG-TS, whose length is not known before, it gets all.
 */
public final class MpdSegmentRoute implements Route {
  private static final String INIT = "init.mp4";
  private static final String SEGMENT = "segment.mp4";
  private static final String TRANSPORT_STREAM = "segment.ts";

  private final ClearMediaServices services;

  public MpdSegmentRoute(ClearMediaServices services) {
    this.services = services;
  }

  @Override
  public void serve(RouteRequest request) throws ExchangeException, IOException {
    ProxyConfig config = services.stream().proxyConfig();
    switch (request.match().suffix()) {
      case SEGMENT -> start(request, DashSegmentParameters.ofSegment(request.query(), config));
      case TRANSPORT_STREAM ->
          start(
              request,
              DashSegmentParameters.ofSegment(request.query(), config).asTransportStream());
      case INIT -> start(request, DashSegmentParameters.ofInit(request.query(), config));
      default ->
          ErrorMapper.plain(404, "Not Found")
              .send(request.clientRequest(), request.proxyResponse());
    }
  }

  private void start(RouteRequest request, DashSegmentParameters parameters)
      throws ExchangeException, IOException {
    StreamExchange.start(
        services.stream(),
        request.clientRequest(),
        request.proxyResponse(),
        errand(services, request, parameters),
        request.exchange());
  }

  /** Of media, or of an initialization segment if there is no media. */
  static Errand errand(
      ClearMediaServices services, RouteRequest request, DashSegmentParameters parameters) {
    ClearMediaAnswer answer = answer(request, parameters);
    return parameters.media().isPresent()
        ? new MpdSegmentErrand(services, parameters, answer)
        : new InitErrand(services, parameters, answer);
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
