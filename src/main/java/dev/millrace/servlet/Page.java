package dev.millrace.servlet;

import dev.millrace.proxy.ResponsePlan;
import dev.millrace.upstream.Headers;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A whole answer of our own; never cached.
 *
 * @param status HTTP status
 * @param contentType with its parameters
 * @param headers in place of those of {@link ResponsePlan#SAFETY}, or besides them
 * @param text the body, sent as UTF-8; empty: none
 */
public record Page(int status, String contentType, Headers headers, String text) {
  static final String JSON = "application/json";
  static final String PLAIN = "text/plain; charset=utf-8";

  static Page of(int status, String contentType, String text) {
    return new Page(status, contentType, Headers.of(), text);
  }

  /** What {@code /metrics} answers: Prometheus text 0.0.4. */
  public static Page metrics(String text) {
    return of(200, "text/plain; version=0.0.4; charset=utf-8", text);
  }

  /** An answer without a body. */
  public static Page empty() {
    return of(HttpServletResponse.SC_NO_CONTENT, PLAIN, "");
  }

  /** The text that clients look at where an operator has switched a page off. */
  public static Page forbidden() {
    return of(HttpServletResponse.SC_FORBIDDEN, PLAIN, "Forbidden");
  }

  /** Sets status and fields; the body is the caller's to write. */
  ByteBuffer applyTo(HttpServletResponse proxyResponse) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    proxyResponse.setStatus(status);
    ResponsePlan.SAFETY.forEach(line -> proxyResponse.setHeader(line.name(), line.value()));
    proxyResponse.setHeader("Cache-Control", "no-store");
    headers.forEach(line -> proxyResponse.setHeader(line.name(), line.value()));
    if (body.length > 0) {
      proxyResponse.setContentType(contentType);
      proxyResponse.setContentLength(body.length);
    }
    return ByteBuffer.wrap(body);
  }

  /** Answers at once, on the container's thread. */
  void send(HttpServletRequest clientRequest, HttpServletResponse proxyResponse)
      throws IOException {
    ByteBuffer body = applyTo(proxyResponse);
    if (body.hasRemaining() && !clientRequest.getMethod().equals("HEAD")) {
      Exchange.of(clientRequest).answered(status, body.remaining());
      proxyResponse.getOutputStream().write(body);
    }
  }
}
