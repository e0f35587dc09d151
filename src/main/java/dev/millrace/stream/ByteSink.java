package dev.millrace.stream;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Where a {@link ByteTransform} puts its output. */
@FunctionalInterface
public interface ByteSink {
  /**
   * Takes the remaining bytes of {@code output}.
   *
   * <p>The sink may keep the buffer until its bytes are written, so the caller must not change
   * those bytes afterwards. A slice of the transform's own input may be handed over as it is: the
   * input stays valid until everything put during that call is written.
   *
   * @param output at most 64 KiB; may be empty, which is ignored
   * @throws IOException if the sink cannot take more
   */
  void put(ByteBuffer output) throws IOException;
}
