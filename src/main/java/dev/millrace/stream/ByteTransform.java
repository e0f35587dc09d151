package dev.millrace.stream;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Changes a body while it passes: push in, push out, whatever the chunking.
 *
 * <h2>Rules</h2>
 *
 * <ul>
 *   <li>Any chunking of one input gives one output.
 *   <li>Confined to one caller at a time; never blocks.
 *   <li>{@code input} belongs to the caller. It stays valid until the output put during the same
 *       call has been written, and may be put as it is (sliced); what is needed later must be
 *       copied.
 *   <li>One call puts as much as its input causes; a transform whose output grows is fed in small
 *       slices by its caller.
 *   <li>{@link #close()} is called exactly once, after success or failure, and releases everything.
 * </ul>
 */
public interface ByteTransform extends Closeable {
  /**
   * Consumes all of {@code input}.
   *
   * @throws IOException if the body is not what the transform understands; the exchange is aborted
   */
  void accept(ByteBuffer input, ByteSink out) throws IOException;

  /** The body has ended as it should: puts what is still held. Not called after a failure. */
  void finish(ByteSink out) throws IOException;

  @Override
  void close();
}
