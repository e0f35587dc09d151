package dev.millrace.cenc;

import dev.millrace.mp4.InitSegment;
import dev.millrace.stream.ByteSink;
import dev.millrace.stream.ByteTransform;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A protected stream of boxes becomes clear while it passes; its length stays (contract §4). Holds
 * the largest moov or moof.
 */
public final class CencDecryptor implements ByteTransform {
  /**
   * @param init what is known of the tracks before the stream begins
   */
  public CencDecryptor(DecryptionOptions options, InitSegment init) {}

  @Override
  public void accept(ByteBuffer input, ByteSink out) throws IOException {
    out.put(input);
  }

  @Override
  public void finish(ByteSink out) throws IOException {}

  @Override
  public void close() {}
}
