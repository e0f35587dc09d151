package dev.millrace.servlet;

import dev.millrace.proxy.AccessPolicy;
import dev.millrace.proxy.Arrival;
import dev.millrace.proxy.BadParameterException;
import dev.millrace.proxy.Caller;
import dev.millrace.proxy.Claim;
import dev.millrace.proxy.Endpoint;
import dev.millrace.proxy.FrontEnds;
import dev.millrace.proxy.Grant;
import dev.millrace.proxy.NotOfferedException;
import dev.millrace.proxy.QueryParameters;
import dev.millrace.proxy.ValidationException;
import dev.millrace.proxy.Visit;
import dev.millrace.stream.ExchangeException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.ee11.proxy.ProxyServlet;

/**
 * Every route of the proxy: finds the endpoint, checks access and parameters, and hands the request
 * to the exchange that serves it.
 *
 * <p>Of Jetty's proxy servlet it keeps the place in the container and the life of the HTTP client.
 * What that servlet does with a request (copying the viewer's fields, naming the viewer to the
 * origin, a total time-out, copying bodies through the heap) is replaced as a whole.
 */
public final class MediaProxyServlet extends ProxyServlet {
  private static final long serialVersionUID = 1L;

  private final transient HttpClient client;
  private final transient Map<Endpoint, Route> routes;
  private final transient AccessPolicy access;
  private final transient FrontEnds frontEnds;

  /**
   * @param client started and stopped by whoever made it
   * @param routes those that this server offers; others of {@link Endpoint} are answered 501
   */
  public MediaProxyServlet(
      HttpClient client, AccessPolicy access, FrontEnds frontEnds, Map<Endpoint, Route> routes) {
    this.client = client;
    this.access = access;
    this.frontEnds = frontEnds;
    this.routes = Map.copyOf(routes);
  }

  @Override
  protected HttpClient createHttpClient() {
    return client;
  }

  /** The client outlives this servlet. */
  @Override
  public void destroy() {}

  @Override
  protected void service(HttpServletRequest clientRequest, HttpServletResponse proxyResponse)
      throws IOException {
    Exchange exchange = Exchange.of(clientRequest);
    try {
      Arrival arrival = arrivalOf(clientRequest);
      Visit visit = access.receive(claim(clientRequest, arrival.caller()));
      Optional<Endpoint.Match> match = Endpoint.match(visit.route());
      if (match.isPresent()) {
        exchange.routed(match.get().endpoint());
        dispatch(match.get(), visit, arrival, clientRequest, proxyResponse);
      } else {
        ErrorMapper.plain(404, "Not Found").send(clientRequest, proxyResponse);
      }
    } catch (ExchangeException | RuntimeException e) {
      exchange.endedAs(ErrorMapper.reason(e));
      ErrorMapper.answer(e, exchange.id()).send(clientRequest, proxyResponse);
    }
  }

  private void dispatch(
      Endpoint.Match match,
      Visit visit,
      Arrival arrival,
      HttpServletRequest clientRequest,
      HttpServletResponse proxyResponse)
      throws IOException {
    Set<String> methods = match.endpoint().methods();
    if (routes.get(match.endpoint()) == Route.SWITCHED_OFF) {
      Page.forbidden().send(clientRequest, proxyResponse);
    } else if (!methods.contains(clientRequest.getMethod())) {
      allow(methods, proxyResponse);
      ErrorMapper.plain(405, "Method Not Allowed").send(clientRequest, proxyResponse);
    } else if (clientRequest.getMethod().equals("OPTIONS") && !match.endpoint().answersOptions()) {
      allow(methods, proxyResponse);
      proxyResponse.setStatus(HttpServletResponse.SC_NO_CONTENT);
    } else {
      serve(match, visit, arrival, clientRequest, proxyResponse);
    }
  }

  /** RFC 9110 §10.2.1. */
  private static void allow(Set<String> methods, HttpServletResponse proxyResponse) {
    proxyResponse.setHeader("Allow", String.join(", ", new TreeSet<>(methods)));
  }

  private void serve(
      Endpoint.Match match,
      Visit visit,
      Arrival arrival,
      HttpServletRequest clientRequest,
      HttpServletResponse proxyResponse)
      throws IOException {
    if (match.endpoint().isForOperators()) {
      CrossOrigin.hide(proxyResponse);
    }
    Grant grant = access.admit(match.endpoint(), visit);
    Route route = routes.get(match.endpoint());
    if (route == null) {
      throw NotOfferedException.route(match.endpoint());
    }
    Exchange exchange = Exchange.of(clientRequest);
    try {
      route.serve(new RouteRequest(match, grant, arrival, clientRequest, proxyResponse, exchange));
    } catch (ValidationException | BadParameterException e) {
      throw visit.link().isPresent() ? withoutContent(e) : e;
    }
  }

  /** Whoever uses a link is not to see what is in it. */
  private static ExchangeException withoutContent(ExchangeException failure) {
    return failure instanceof ValidationException validation
        ? validation.withoutInput()
        : BadParameterException.inLink();
  }

  private Claim claim(HttpServletRequest clientRequest, Caller caller)
      throws BadParameterException {
    return new Claim(
        pathOf(clientRequest),
        QueryParameters.parse(clientRequest.getQueryString()),
        Optional.ofNullable(clientRequest.getHeader(Claim.PASSWORD)),
        caller,
        String.valueOf(clientRequest.getServerName()));
  }

  private static Arrival arrivalOf(HttpServletRequest clientRequest) {
    return Exchange.of(clientRequest).arrival();
  }

  /** As it was sent: escapes and semicolons belong to file names. */
  private String pathOf(HttpServletRequest clientRequest) {
    return frontEnds.routePath(
        arrivalOf(clientRequest),
        clientRequest.getRequestURI().substring(clientRequest.getContextPath().length()));
  }
}
