package dev.millrace.servlet;

import dev.millrace.proxy.ForwardParameters;
import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.PublicIpSource;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

/** {@code /proxy/forward}: any request, from this server's address. */
public final class ForwardRoute implements Route {
  private final StreamServices services;
  private final ForwardConfig config;
  private final ForwardHosts hosts;
  private final PublicIpSource publicIp;

  /**
   * The route of a server with those limits.
   *
   * @param publicIp what the placeholder stands for; asked only when it occurs
   */
  public ForwardRoute(StreamServices services, ForwardConfig config, PublicIpSource publicIp) {
    this.services = services;
    this.config = config;
    this.hosts = new ForwardHosts(config);
    this.publicIp = publicIp;
  }

  @Override
  public void serve(RouteRequest request) throws ExchangeException, IOException {
    if (services.proxyConfig().apiPassword().filter(password -> !password.isEmpty()).isEmpty()) {
      throw ForwardException.noPassword();
    }
    ForwardParameters parameters = ForwardParameters.parse(request.query(), services.proxyConfig());
    hosts.check(parameters.destination());
    if (hasUnknownCoding(request.clientRequest())) {
      throw ForwardException.transferCoding();
    }
    if (request.clientRequest().getContentLengthLong() > config.maxRequestBodyBytes()) {
      throw ForwardException.requestTooLarge(config.maxRequestBodyBytes());
    }
    StreamExchange.start(
        services,
        request.clientRequest(),
        request.proxyResponse(),
        new ForwardErrand(services, config, publicIp, request.clientRequest(), parameters),
        request.exchange());
  }

  private static boolean hasUnknownCoding(HttpServletRequest clientRequest) {
    String coding = clientRequest.getHeader("Transfer-Encoding");
    return coding != null && !coding.strip().equalsIgnoreCase("chunked");
  }
}
