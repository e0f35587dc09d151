package dev.millrace.servlet;

import dev.millrace.stream.ExchangeException;
import java.io.IOException;

/** Serves the requests of one endpoint. */
@FunctionalInterface
public interface Route {
  /** What an operator has switched off: it says so to everybody, no password is asked for. */
  Route SWITCHED_OFF = of(Page::forbidden);

  /**
   * Answers, or makes the request asynchronous and sees to its answer. Never blocks.
   *
   * @throws ExchangeException what the client is told instead; nothing was sent
   */
  void serve(RouteRequest request) throws ExchangeException, IOException;

  /** A route that answers with a page. */
  static Route of(View view) {
    return request -> view.page().send(request.clientRequest(), request.proxyResponse());
  }
}
