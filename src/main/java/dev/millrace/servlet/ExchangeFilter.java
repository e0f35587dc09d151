package dev.millrace.servlet;

import dev.millrace.proxy.Arrival;
import dev.millrace.proxy.FrontEnds;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The first to see a request and, unless it is answered later, the last: gives it its id, and sees
 * that it is counted and logged.
 */
public final class ExchangeFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;

  private final transient FrontEnds frontEnds;
  private final transient ExchangeLog log;
  private final transient Sessions sessions;
  private final transient Clock clock;
  private final transient LongSupplier nanoTime;

  /**
   * @param clock for the time of day when a session began
   * @param nanoTime like {@link System#nanoTime()}
   */
  public ExchangeFilter(
      FrontEnds frontEnds, ExchangeLog log, Sessions sessions, Clock clock, LongSupplier nanoTime) {
    this.frontEnds = frontEnds;
    this.log = log;
    this.sessions = sessions;
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  @Override
  protected void doFilter(
      HttpServletRequest clientRequest, HttpServletResponse proxyResponse, FilterChain chain)
      throws IOException, ServletException {
    Exchange exchange =
        Exchange.begin(
            clientRequest, arrivalOf(clientRequest), clock.instant(), nanoTime.getAsLong());
    identify(proxyResponse, exchange);
    if (sessions.isRefusing() && clientRequest.getProtocol().startsWith("HTTP/1")) {
      proxyResponse.setHeader("Connection", "close");
    }
    try {
      chain.doFilter(clientRequest, proxyResponse);
      if (!exchange.isStreamed() && !clientRequest.isAsyncStarted()) {
        exchange.answered(proxyResponse.getStatus(), exchange.bytes());
        log.over(exchange);
      }
    } catch (IOException | ServletException | RuntimeException e) {
      exchange.endedAs("internal_error");
      log.over(exchange);
      throw e;
    }
  }

  private Arrival arrivalOf(HttpServletRequest clientRequest) {
    return frontEnds.arrival(
        new FrontEnds.Connection(
            String.valueOf(clientRequest.getRemoteAddr()),
            clientRequest.getScheme(),
            hostOf(clientRequest),
            authority(clientRequest.getLocalAddr(), clientRequest.getLocalPort()),
            clientRequest.getContextPath()),
        name ->
            clientRequest.getHeader(name) == null
                ? List.of()
                : Collections.list(clientRequest.getHeaders(name)));
  }

  /** HTTP/2 has it outside of the fields (RFC 9113 §8.3.1), where not every container copies it. */
  private static String hostOf(HttpServletRequest clientRequest) {
    String host = clientRequest.getHeader("Host");
    return host == null
        ? authority(clientRequest.getServerName(), clientRequest.getServerPort())
        : host;
  }

  private static String authority(String host, int port) {
    boolean isBareIpv6 = host.indexOf(':') >= 0 && !host.startsWith("[");
    return (isBareIpv6 ? "[" + host + "]" : host) + ":" + port;
  }

  /** Names the request on its answer, again after a reset. */
  static void identify(HttpServletResponse proxyResponse, Exchange exchange) {
    proxyResponse.setHeader("X-Request-Id", exchange.id());
  }
}
