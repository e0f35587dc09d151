package dev.millrace.upstream;

import dev.millrace.stream.ExchangeException;
import org.eclipse.jetty.io.Content;

/** Sends one request to one origin: no redirects, no retries, no waiting for a turn. */
public interface Upstream {
  /** Sends {@code request}. Never blocks, never throws: failures go to the listener. */
  Exchange send(UpstreamRequest request, Listener listener);

  /** One request under way. */
  interface Exchange {
    /** Gives it up: its connection is closed unless the response is complete. Any thread. */
    void abort(Throwable cause);
  }

  /** What becomes of a request. Calls are serialized; either response or failure comes, once. */
  interface Listener {
    /**
     * The final status and fields are here.
     *
     * <p>The listener owns {@code body}: it reads it to the end or fails it. A body that is {@code
     * gzip} with status 200 comes decoded, without its coding and length, unless the request is
     * forwarded; a truncated body ends in a failure, never in a last chunk.
     */
    void onResponse(UpstreamHead head, Content.Source body);

    /** There is no response and there will be none. */
    void onFailure(ExchangeException failure);

    /**
     * All is over, body included: the connection is back in its pool or closed. Comes last, once.
     */
    void onComplete();
  }
}
