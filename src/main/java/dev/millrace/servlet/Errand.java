package dev.millrace.servlet;

import dev.millrace.proxy.ResponsePlan;
import dev.millrace.stream.ByteTransform;
import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.Fetch;
import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.Fetching;
import dev.millrace.upstream.Target;
import dev.millrace.upstream.UpstreamHead;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.jetty.io.Content;

/** What one exchange asks of an origin, and what it makes of the answer. */
interface Errand {
  /** Hears what is to be asked, and what becomes of the client's request. */
  interface Listener {
    /**
     * Once from {@link Errand#begin}; then again from {@link Errand#answer}, in place of a reply,
     * by an errand that wants the origin asked another way. It has failed the answer's body before.
     */
    void ask(FetchRequest request);

    /** In place of asking. */
    void fail(Throwable failure);

    /** All of the client's request has been read. At once if it has no body. */
    void requestRead();

    /** The client's request cannot be read, so nobody can be answered. A failure follows. */
    void requestBroken();
  }

  /** Hears what the client is told: one of the two, once. */
  interface Reply {
    /**
     * The response as it is planned.
     *
     * @param body as it is relayed; owned by the hearer
     */
    void respond(ResponsePlan plan, Content.Source body);

    /** Whoever calls this has failed the body. */
    void fail(Throwable failure);
  }

  /** Where it leads, for those who watch. */
  Target destination();

  /** Direct memory that the exchange may pin, in bytes. */
  default long bufferBytes() {
    return StreamServices.BUFFER_BYTES;
  }

  /** What changes the body on its way back; closed by the caller. Called once. */
  default Optional<ByteTransform> transform() {
    return Optional.empty();
  }

  /**
   * Says what to ask, now or later, from any thread. The request is asynchronous by now. Never
   * blocks.
   *
   * @throws IOException if the client's request cannot be read
   */
  void begin(Listener listener) throws IOException;

  /** Starts to fetch what was asked for. */
  Fetching fetch(FetchRequest request, Fetch.Listener listener);

  /**
   * Makes the response of the origin's answer: now, or later from any thread. Never blocks.
   *
   * @param body the errand's, until it is given to {@code reply}; has to be read to its end or
   *     failed
   * @throws ExchangeException as {@link Reply#fail}; the caller fails the body
   */
  void answer(UpstreamHead head, Content.Source body, Reply reply) throws ExchangeException;

  /**
   * How long the client may take nothing of the response.
   *
   * @param ofStreams what the setting says
   */
  default Duration patience(Duration ofStreams) {
    return ofStreams;
  }

  /** Whether nothing is left to read of the client's request. */
  default boolean isRequestRead() {
    return true;
  }

  /** What is being waited for is not wanted any more. Any thread. */
  default void cancel(ExchangeException cause) {}

  /** Returns when the client's request is in nobody's use any more. Idempotent. */
  default void close() {}
}
