package dev.millrace.servlet;

import dev.millrace.proxy.ResponsePlan;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;

/** Says that the server runs: what health checks of the older programs expect, and the time. */
public final class HealthServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient Clock clock;

  public HealthServlet(Clock clock) {
    this.clock = clock;
  }

  @Override
  protected void doGet(HttpServletRequest clientRequest, HttpServletResponse proxyResponse)
      throws IOException {
    String json = "{\"status\":\"healthy\",\"timestamp\":\"" + clock.instant() + "\"}";
    ResponsePlan.SAFETY.forEach(line -> proxyResponse.setHeader(line.name(), line.value()));
    proxyResponse.setContentType("application/json");
    proxyResponse.setHeader("Cache-Control", "no-store");
    proxyResponse.getOutputStream().write(json.getBytes(StandardCharsets.UTF_8));
  }
}
