package dev.millrace.servlet;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Tells when a client has left while nothing is being written to it. The servlet API cannot: a
 * container that offers no way learns of it with the next write.
 */
@FunctionalInterface
public interface ClientWatch {
  /** For containers that cannot tell. */
  ClientWatch NONE = (clientRequest, gone, over) -> () -> {};

  /**
   * Is going to watch the client of {@code clientRequest}.
   *
   * @param gone runs at most once, on any thread, and must not block
   * @param over runs once the container has let go of the request, aborted or not; never in
   *     containers that cannot tell more than the servlet API does
   */
  Watching watch(HttpServletRequest clientRequest, Runnable gone, Runnable over);

  /** One client being watched. */
  interface Watching {
    /**
     * Begins, now that all of the request has been read: until then that is how a client is seen to
     * leave. The container's own idle time-out is off from now on. Called at most once.
     */
    default void begin() {}

    /** Ends the watch; the connection goes on as if it had never been. Idempotent. */
    void end();

    /**
     * Breaks the connection so that a client which takes its end for the end of the body (RFC 9112
     * §8) sees that it is none. Nothing in containers that give no access to the connection.
     */
    default void reset() {}

    /**
     * Closes the connection, of which a write is not done. Nothing where others share it, and in
     * containers that give no access to it.
     */
    default void close() {}
  }
}
