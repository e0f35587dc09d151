package dev.millrace.servlet;

import dev.millrace.cenc.AesCiphers;
import dev.millrace.stream.MemoryBudget;
import dev.millrace.upstream.Fetching;

/**
 * What requests for media of presentations share.
 *
 * @param source where media comes from
 * @param ciphers who decrypts
 * @param boxes heap memory that they may take together for boxes that have to be held whole, up to
 *     1 MiB each
 * @param longBoxes the same for what they hold beyond that
 */
public record ClearMediaServices(
    StreamServices stream,
    Fetching.Source source,
    AesCiphers ciphers,
    MemoryBudget boxes,
    MemoryBudget longBoxes) {
  private static final long BOXES_BYTES = 32L << 20;

  /** The longest initialization segment, and its clear form. */
  private static final long LONG_BOXES_BYTES = 64L << 20;

  public static ClearMediaServices of(
      StreamServices stream, Fetching.Source source, AesCiphers ciphers) {
    return new ClearMediaServices(
        stream, source, ciphers, new MemoryBudget(BOXES_BYTES), new MemoryBudget(LONG_BOXES_BYTES));
  }

  /** For one answer. */
  TextHold newHold() {
    return new TextHold(boxes, longBoxes);
  }
}
