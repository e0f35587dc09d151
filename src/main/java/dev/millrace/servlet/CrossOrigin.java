package dev.millrace.servlet;

import dev.millrace.proxy.Endpoint;
import dev.millrace.proxy.FrontEnds;
import dev.millrace.proxy.ResponsePlan;
import dev.millrace.proxy.TokenPath;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Lets pages of any origin use every route but those for operators and read what seeking needs
 * (Fetch §3.2, CORS protocol): on all answers, errors included; never with credentials. A page from
 * the internet gets no leave to ask a server on its viewer's network that it could not ask anyway:
 * {@code Access-Control-Allow-Private-Network} is never sent.
 *
 * <p>What a browser asks before (a preflight) is answered here, without a password: it holds none.
 */
public final class CrossOrigin extends HttpFilter {
  private static final long serialVersionUID = 1L;

  private static final String EXPOSED = "Content-Length, Content-Range, Accept-Ranges, X-EPG-Cache";
  private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");
  private static final String ONE_DAY_SECONDS = "86400";

  /** Of field names that are asked for at once; more are not allowed at all. */
  static final int MAX_NAMES_LENGTH = 4096;

  /** RFC 9110 §5.6.2 tokens between commas. */
  private static final Pattern NAMES = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~, \\t-]+");

  private final transient FrontEnds frontEnds;

  public CrossOrigin(FrontEnds frontEnds) {
    this.frontEnds = frontEnds;
  }

  @Override
  protected void doFilter(
      HttpServletRequest clientRequest, HttpServletResponse proxyResponse, FilterChain chain)
      throws IOException, ServletException {
    expose(proxyResponse);
    if (isPreflight(clientRequest)) {
      answer(clientRequest, proxyResponse);
    } else {
      chain.doFilter(clientRequest, proxyResponse);
    }
  }

  private static boolean isPreflight(HttpServletRequest clientRequest) {
    return clientRequest.getMethod().equals("OPTIONS")
        && clientRequest.getHeader("Origin") != null
        && clientRequest.getHeader("Access-Control-Request-Method") != null;
  }

  private void answer(HttpServletRequest clientRequest, HttpServletResponse proxyResponse) {
    proxyResponse.setStatus(HttpServletResponse.SC_NO_CONTENT);
    Optional<Endpoint> endpoint =
        Endpoint.match(pathOf(clientRequest)).map(Endpoint.Match::endpoint);
    if (endpoint.filter(Endpoint::isForOperators).isPresent()) {
      hide(proxyResponse);
      return;
    }
    Set<String> methods = endpoint.map(Endpoint::methods).orElse(READING);
    proxyResponse.setHeader(
        "Access-Control-Allow-Methods", String.join(", ", new TreeSet<>(methods)));
    proxyResponse.setHeader("Access-Control-Max-Age", ONE_DAY_SECONDS);
    String names =
        String.join(
            ", ", Collections.list(clientRequest.getHeaders("Access-Control-Request-Headers")));
    if (names.length() <= MAX_NAMES_LENGTH && NAMES.matcher(names).matches()) {
      proxyResponse.setHeader("Access-Control-Allow-Headers", names);
    }
  }

  /** The route's path, as a link has it behind its token too; whether that is good is not asked. */
  private String pathOf(HttpServletRequest clientRequest) {
    String path =
        frontEnds.routePath(
            Exchange.of(clientRequest).arrival(),
            clientRequest.getRequestURI().substring(clientRequest.getContextPath().length()));
    return TokenPath.of(path).map(TokenPath::route).orElse(path);
  }

  /** The fields that every answer has, again after a reset. */
  static void expose(HttpServletResponse proxyResponse) {
    ResponsePlan.SAFETY.forEach(line -> proxyResponse.setHeader(line.name(), line.value()));
    proxyResponse.setHeader("Access-Control-Allow-Origin", "*");
    proxyResponse.setHeader("Access-Control-Expose-Headers", EXPOSED);
  }

  /** For what is meant for operators: pages that they have open must not read it. */
  static void hide(HttpServletResponse proxyResponse) {
    proxyResponse.setHeader("Access-Control-Allow-Origin", null);
    proxyResponse.setHeader("Access-Control-Expose-Headers", null);
  }
}
