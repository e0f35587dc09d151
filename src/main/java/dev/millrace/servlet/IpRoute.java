package dev.millrace.servlet;

import dev.millrace.proxy.Destination;
import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.PublicIp;
import dev.millrace.upstream.Target;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * {@code /proxy/ip}: the address under which origins see this server; with {@code d} that which
 * this destination sees, given the outbound route to it.
 */
public final class IpRoute implements Route {
  private static final int OK = 200;

  private final PublicIp publicIp;
  private final AnswerServices services;

  public IpRoute(PublicIp publicIp, AnswerServices services) {
    this.publicIp = publicIp;
    this.services = services;
  }

  @Override
  public void serve(RouteRequest request) throws ExchangeException {
    Optional<Target> destination = Destination.optional(request.query());
    LateAnswer answer = LateAnswer.begin(request, services);
    CompletionStage<String> address =
        destination.isPresent() ? publicIp.addressFor(destination.get()) : publicIp.address();
    var unused =
        address.whenComplete(
            (told, failure) -> {
              if (failure == null) {
                answer.send(Page.of(OK, Page.JSON, "{\"ip\":\"" + told + "\"}"));
              } else {
                answer.fail(cause(failure));
              }
            });
  }

  private static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }
}
