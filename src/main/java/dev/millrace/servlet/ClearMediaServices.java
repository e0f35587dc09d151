package dev.millrace.servlet;

import dev.millrace.cenc.AesCiphers;
import dev.millrace.stream.MemoryBudget;
import dev.millrace.upstream.Fetching;

/**
 * What requests for media of presentations share.
 *
 * @param source where media comes from
 * @param ciphers who decrypts
 * @param boxes heap memory that they and playlists may take together for what has to be held whole,
 *     up to 1 MiB each
 * @param longBoxes the same for what they hold beyond that: the longest initialization segment and
 *     its clear form, just
 */
public record ClearMediaServices(
    StreamServices stream,
    Fetching.Source source,
    AesCiphers ciphers,
    MemoryBudget boxes,
    MemoryBudget longBoxes) {
  public static ClearMediaServices of(HlsServices hls, AesCiphers ciphers) {
    return new ClearMediaServices(hls.stream(), hls.cache(), ciphers, hls.texts(), hls.longTexts());
  }

  /** For one answer. */
  TextHold newHold() {
    return new TextHold(boxes, longBoxes);
  }
}
