package dev.millrace.servlet;

import dev.millrace.proxy.AccessPolicy;
import dev.millrace.proxy.Caller;
import dev.millrace.proxy.Endpoint;
import dev.millrace.proxy.ForbiddenException;
import dev.millrace.proxy.NotOfferedException;
import dev.millrace.proxy.ProxyParameters;
import dev.millrace.proxy.QueryParameters;
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

  private static final String PASSWORD = "api_password";

  /** What front ends say of whom they act for (RFC 7239 §4, and the usage before it). */
  private static final Set<String> FORWARDED = Set.of("Forwarded", "X-Forwarded-For", "X-Real-IP");

  private final transient HttpClient client;
  private final transient StreamServices services;
  private final transient Map<Endpoint, View> views;
  private final transient AccessPolicy access;

  /**
   * @param client started and stopped by whoever made it
   * @param views the routes that are answered with a page of our own
   */
  public MediaProxyServlet(HttpClient client, StreamServices services, Map<Endpoint, View> views) {
    this.client = client;
    this.services = services;
    this.views = Map.copyOf(views);
    this.access = AccessPolicy.of(services.proxyConfig(), services.nanoTime());
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
      } else if (clientRequest.getMethod().equals("OPTIONS")) {
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
    checkAccess(match.endpoint(), query, clientRequest, proxyResponse);
    View view = views.get(match.endpoint());
    if (view != null) {
      view.page().send(clientRequest, proxyResponse);
      return;
    }
    if (match.endpoint() != Endpoint.STREAM) {
      throw NotOfferedException.route(match.endpoint());
    }
    ProxyParameters parameters =
        ProxyParameters.parse(query, match.suffix(), services.proxyConfig());
    StreamExchange.start(services, clientRequest, proxyResponse, parameters, exchange);
  }

  private void checkAccess(
      Endpoint endpoint,
      QueryParameters query,
      HttpServletRequest clientRequest,
      HttpServletResponse proxyResponse)
      throws ForbiddenException {
    Optional<String> asked = query.value(PASSWORD);
    Optional<String> field = Optional.ofNullable(clientRequest.getHeader(PASSWORD));
    if (endpoint.isForOperators()) {
      CrossOrigin.hide(proxyResponse);
      Caller caller = callerOf(clientRequest);
      access.checkOperator(
          asked, field, caller.askingFor(String.valueOf(clientRequest.getServerName())));
    } else if (endpoint.needsPassword()) {
      access.check(asked, field, callerOf(clientRequest));
    }
  }

  /** Containers that trust a front end put the address of its client in place of its own. */
  private static Caller callerOf(HttpServletRequest clientRequest) {
    boolean isForwarded =
        FORWARDED.stream().anyMatch(name -> clientRequest.getHeader(name) != null);
    return new Caller(String.valueOf(clientRequest.getRemoteAddr()), isForwarded);
  }

  /** As it was sent: escapes and semicolons belong to file names. */
  private static String pathOf(HttpServletRequest clientRequest) {
    return clientRequest.getRequestURI().substring(clientRequest.getContextPath().length());
  }
}
