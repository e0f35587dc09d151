package dev.millrace.servlet;

import dev.millrace.upstream.Headers;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What a client is told of a failure.
 *
 * @param status 400 to 599
 * @param headers everything but type and length
 * @param json the body
 */
record ErrorAnswer(int status, Headers headers, String json) {
  /** Sets status and fields; the body is the caller's to write. */
  ByteBuffer applyTo(HttpServletResponse proxyResponse) {
    ByteBuffer body = ByteBuffer.wrap(json.getBytes(StandardCharsets.UTF_8));
    proxyResponse.setStatus(status);
    headers.forEach(line -> proxyResponse.setHeader(line.name(), line.value()));
    proxyResponse.setHeader("Cache-Control", "no-store");
    proxyResponse.setContentType("application/json");
    proxyResponse.setContentLength(body.remaining());
    return body;
  }

  /** Answers at once, on the container's thread. */
  void send(HttpServletRequest clientRequest, HttpServletResponse proxyResponse)
      throws IOException {
    ByteBuffer body = applyTo(proxyResponse);
    if (!clientRequest.getMethod().equals("HEAD")) {
      Exchange.of(clientRequest).answered(status, body.remaining());
      proxyResponse.getOutputStream().write(body);
    }
  }
}
