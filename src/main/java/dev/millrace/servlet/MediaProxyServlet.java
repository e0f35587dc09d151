package dev.millrace.servlet;

import dev.millrace.proxy.AccessPolicy;
import dev.millrace.proxy.Arrival;
import dev.millrace.proxy.Caller;
import dev.millrace.proxy.Endpoint;
import dev.millrace.proxy.ForbiddenException;
import dev.millrace.proxy.FrontEnds;
import dev.millrace.proxy.NotOfferedException;
import dev.millrace.proxy.QueryParameters;
import dev.millrace.stream.ExchangeException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
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

  private static final String PASSWORD = "api_password";

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
      Optional<Endpoint.Match> match = Endpoint.match(pathOf(clientRequest));
      if (match.isEmpty()) {
        ErrorMapper.plain(404, "Not Found").send(clientRequest, proxyResponse);
        return;
      }
      exchange.routed(match.get().endpoint());
      Set<String> methods = match.get().endpoint().methods();
      if (!methods.contains(clientRequest.getMethod())) {
        allow(methods, proxyResponse);
        ErrorMapper.plain(405, "Method Not Allowed").send(clientRequest, proxyResponse);
      } else if (clientRequest.getMethod().equals("OPTIONS")
          && !match.get().endpoint().answersOptions()) {
        allow(methods, proxyResponse);
        proxyResponse.setStatus(HttpServletResponse.SC_NO_CONTENT);
      } else {
        serve(match.get(), clientRequest, proxyResponse, exchange);
      }
    } catch (ExchangeException | RuntimeException e) {
      exchange.endedAs(ErrorMapper.reason(e));
      ErrorMapper.answer(e, exchange.id()).send(clientRequest, proxyResponse);
    }
  }

  /** RFC 9110 §10.2.1. */
  private static void allow(Set<String> methods, HttpServletResponse proxyResponse) {
    proxyResponse.setHeader("Allow", String.join(", ", new TreeSet<>(methods)));
  }

  private void serve(
      Endpoint.Match match,
      HttpServletRequest clientRequest,
      HttpServletResponse proxyResponse,
      Exchange exchange)
      throws IOException {
    QueryParameters query = QueryParameters.parse(clientRequest.getQueryString());
    Arrival arrival = arrivalOf(clientRequest);
    checkAccess(match.endpoint(), query, arrival.caller(), clientRequest, proxyResponse);
    Route route = routes.get(match.endpoint());
    if (route == null) {
      throw NotOfferedException.route(match.endpoint());
    }
    route.serve(new RouteRequest(match, query, arrival, clientRequest, proxyResponse, exchange));
  }

  private void checkAccess(
      Endpoint endpoint,
      QueryParameters query,
      Caller caller,
      HttpServletRequest clientRequest,
      HttpServletResponse proxyResponse)
      throws ForbiddenException {
    Optional<String> asked = query.value(PASSWORD);
    Optional<String> field = Optional.ofNullable(clientRequest.getHeader(PASSWORD));
    if (endpoint.isForOperators()) {
      CrossOrigin.hide(proxyResponse);
      access.checkOperator(
          asked, field, caller.askingFor(String.valueOf(clientRequest.getServerName())));
    } else if (endpoint.needsPassword()) {
      access.check(asked, field, caller);
    }
  }

  private Arrival arrivalOf(HttpServletRequest clientRequest) {
    String host = clientRequest.getHeader("Host");
    return frontEnds.arrival(
        new FrontEnds.Connection(
            String.valueOf(clientRequest.getRemoteAddr()),
            clientRequest.getScheme(),
            host == null ? String.valueOf(clientRequest.getServerName()) : host,
            clientRequest.getContextPath()),
        name -> Collections.list(clientRequest.getHeaders(name)));
  }

  /** As it was sent: escapes and semicolons belong to file names. */
  private String pathOf(HttpServletRequest clientRequest) {
    return frontEnds.routePath(
        clientRequest.getRequestURI().substring(clientRequest.getContextPath().length()));
  }
}
