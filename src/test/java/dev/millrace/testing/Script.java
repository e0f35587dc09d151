package dev.millrace.testing;

import java.io.IOException;

/** What an origin does with a request. Called on the thread of its connection. */
@FunctionalInterface
public interface Script {
  /** Answers; an {@link IOException} (the peer has gone) ends the connection. */
  void answer(OriginExchange exchange) throws IOException;
}
