package dev.millrace.servlet;

import dev.millrace.proxy.Arrival;
import dev.millrace.proxy.Endpoint;
import dev.millrace.proxy.QueryParameters;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * A request that was let in.
 *
 * @param match the route
 * @param query what the request asks for; not always what stands in its address
 * @param arrival where it came from
 */
record RouteRequest(
    Endpoint.Match match,
    QueryParameters query,
    Arrival arrival,
    HttpServletRequest clientRequest,
    HttpServletResponse proxyResponse,
    Exchange exchange) {}
