package dev.millrace.servlet;

import dev.millrace.proxy.Arrival;
import dev.millrace.proxy.Endpoint;
import dev.millrace.proxy.Grant;
import dev.millrace.proxy.QueryParameters;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * A request that was let in.
 *
 * @param match the route
 * @param grant what it was let in for
 * @param arrival where it came from
 */
record RouteRequest(
    Endpoint.Match match,
    Grant grant,
    Arrival arrival,
    HttpServletRequest clientRequest,
    HttpServletResponse proxyResponse,
    Exchange exchange) {
  /** What it asks for; not always what stands in its address. */
  QueryParameters query() {
    return grant.query();
  }

  boolean isHead() {
    return clientRequest.getMethod().equals("HEAD");
  }
}
