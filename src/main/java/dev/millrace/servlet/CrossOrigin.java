package dev.millrace.servlet;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Enumeration;

/**
 * Lets pages of any origin use every route and read what seeking needs (Fetch §3.2, CORS protocol):
 * on all answers, errors included; never with credentials.
 */
public final class CrossOrigin extends HttpFilter {
  private static final long serialVersionUID = 1L;

  private static final String EXPOSED = "Content-Length, Content-Range, Accept-Ranges, X-EPG-Cache";
  private static final String METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
  private static final String ONE_DAY_SECONDS = "86400";

  @Override
  protected void doFilter(
      HttpServletRequest clientRequest, HttpServletResponse proxyResponse, FilterChain chain)
      throws IOException, ServletException {
    expose(proxyResponse);
    if (!isPreflight(clientRequest)) {
      chain.doFilter(clientRequest, proxyResponse);
      return;
    }
    proxyResponse.setHeader("Access-Control-Allow-Methods", METHODS);
    Enumeration<String> asked = clientRequest.getHeaders("Access-Control-Request-Headers");
    if (asked.hasMoreElements()) {
      proxyResponse.setHeader("Access-Control-Allow-Headers", asked.nextElement());
    }
    proxyResponse.setHeader("Access-Control-Max-Age", ONE_DAY_SECONDS);
    proxyResponse.setStatus(HttpServletResponse.SC_NO_CONTENT);
  }

  /** The fields that every answer has, again after a reset. */
  static void expose(HttpServletResponse proxyResponse) {
    proxyResponse.setHeader("Access-Control-Allow-Origin", "*");
    proxyResponse.setHeader("Access-Control-Expose-Headers", EXPOSED);
  }

  /** For what is meant for operators: pages that they have open must not read it. */
  static void hide(HttpServletResponse proxyResponse) {
    proxyResponse.setHeader("Access-Control-Allow-Origin", null);
    proxyResponse.setHeader("Access-Control-Expose-Headers", null);
  }

  private static boolean isPreflight(HttpServletRequest clientRequest) {
    return clientRequest.getMethod().equals("OPTIONS")
        && clientRequest.getHeader("Origin") != null
        && clientRequest.getHeader("Access-Control-Request-Method") != null;
  }
}
