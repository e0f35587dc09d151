package dev.millrace.cenc;

import dev.millrace.mp4.BoxSplitter;
import dev.millrace.mp4.InitSegment;
import dev.millrace.stream.ByteSink;
import dev.millrace.stream.ByteTransform;
import dev.millrace.stream.MediaFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A protected stream of boxes becomes clear while it passes; its length stays (ISO/IEC 23001-7,
 * contract §4). A moov in the stream replaces what was known of the tracks.
 *
 * <h2>What is held</h2>
 *
 * The largest moov ({@link #MAX_MOOV_BYTES}) or moof ({@link #MAX_MOOF_BYTES}), while it comes;
 * what is planned of fragments, about 200 bytes a sample, until their data has passed. Only where
 * samples stand before what says how they are encrypted, up to {@link #MAX_LATE_BYTES} more.
 *
 * <h2>What fails</h2>
 *
 * All with a {@link MediaFormatException}: boxes that contradict themselves or a limit, a key that
 * is missing, a stream that ends in the middle. Everything put before is clear, and right.
 */
public final class CencDecryptor implements ByteTransform {
  /** A longer moov is refused. */
  public static final int MAX_MOOV_BYTES = 8 << 20;

  /** A longer moof is refused. */
  public static final int MAX_MOOF_BYTES = 8 << 20;

  /** What is held if samples stand before what says how they are encrypted; beyond: refused. */
  public static final int MAX_LATE_BYTES = 4 << 20;

  /** Where what is held is reserved. */
  @FunctionalInterface
  public interface Room {
    /**
     * Sees that there is so much in all.
     *
     * @throws IOException if there is not; the stream ends with it
     */
    void reserve(long bytes) throws IOException;
  }

  private final BoxSplitter splitter;
  private final ClearBoxes boxes;
  private final ClearPayload payload;

  /**
   * For one stream.
   *
   * @param init what is known of the tracks before the stream begins
   */
  public CencDecryptor(DecryptionOptions options, InitSegment init) {
    this(options, init, AesCiphers.PLATFORM, bytes -> {});
  }

  /**
   * For one stream.
   *
   * @param init what is known of the tracks before the stream begins
   * @param ciphers who decrypts
   * @param room is asked before a fragment is planned
   */
  public CencDecryptor(DecryptionOptions options, InitSegment init, AesCiphers ciphers, Room room) {
    this.payload = new ClearPayload(new RangeDecryptor(ciphers));
    this.boxes = new ClearBoxes(options, init, payload, room);
    this.splitter = new BoxSplitter(boxes, options.startOffset());
  }

  @Override
  public void accept(ByteBuffer input, ByteSink out) throws IOException {
    OutputPieces pieces = new OutputPieces(out, input.remaining());
    payload.into(pieces);
    try {
      splitter.accept(input);
    } finally {
      pieces.flush(); // what is clear goes out, also before a failure
    }
  }

  /**
   * The stream has ended.
   *
   * @throws MediaFormatException if the stream cannot end here
   */
  @Override
  public void finish(ByteSink out) throws IOException {
    OutputPieces pieces = new OutputPieces(out, 0);
    payload.into(pieces);
    boxes.finish(splitter);
    pieces.flush();
  }

  @Override
  public void close() {}

  /** How much is held at the moment, in bytes: what boxes and samples wait for. */
  public long heldBytes() {
    return splitter.heldBytes() + payload.heldBytes();
  }

  /** What was met so far. */
  public DecryptionTally tally() {
    return boxes.tally();
  }
}
