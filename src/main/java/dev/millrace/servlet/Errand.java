package dev.millrace.servlet;

import dev.millrace.proxy.ResponsePlan;
import dev.millrace.stream.ByteTransform;
import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.Target;
import dev.millrace.upstream.UpstreamHead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.eclipse.jetty.io.Content;

/** What one exchange asks of an origin, and what it makes of the answer. */
interface Errand {
  /** Hears what is to be asked: one of the two, once. */
  interface Listener {
    void ask(FetchRequest request);

    void fail(ExchangeException failure);

    /** All of the client's request has been read. At once if it has no body. */
    void requestRead();

    /** The client's request cannot be read, so nobody can be answered. A failure follows. */
    void requestBroken();
  }

  /** Where it leads, for those who watch. */
  Target destination();

  /** Direct memory that the exchange may pin, in bytes. */
  long bufferBytes();

  /** What changes the body on its way back; closed by the caller. Called once. */
  Optional<ByteTransform> transform();

  /**
   * Says what to ask, now or later, from any thread. The request is asynchronous by now. Never
   * blocks.
   *
   * @throws IOException if the client's request cannot be read
   */
  void begin(Listener listener) throws IOException;

  /** Whether the response can only be planned with the first bytes of the body. */
  boolean needsFirstBytes(UpstreamHead head);

  /**
   * Makes the response of the origin's answer.
   *
   * @throws ExchangeException what the client is told instead
   */
  ResponsePlan plan(UpstreamHead head, Optional<ByteBuffer> firstBytes) throws ExchangeException;

  /** The body as it is relayed. */
  Content.Source body(UpstreamHead head, Content.Source answer);

  /** Whether nothing is left to read of the client's request. */
  boolean isRequestRead();

  /** What is being waited for is not wanted any more. Any thread. */
  void cancel(ExchangeException cause);

  /** Returns when the client's request is in nobody's use any more. Idempotent. */
  void close();
}
