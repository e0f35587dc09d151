package dev.millrace.servlet;

import dev.millrace.cache.SegmentCache;
import dev.millrace.link.LinkTokens;
import dev.millrace.proxy.HlsConfig;
import dev.millrace.stream.MemoryBudget;
import java.util.Optional;

/**
 * What requests for playlists share.
 *
 * @param cache where documents come from: many who ask for one at a time share it
 * @param tokens what seals links; absent without a password
 * @param texts heap memory that playlists may take together while they are served
 */
public record HlsServices(
    StreamServices stream,
    SegmentCache cache,
    HlsConfig config,
    Optional<LinkTokens> tokens,
    MemoryBudget texts) {
  /** One playlist of the greatest size, and many of the usual. */
  private static final long TEXT_BYTES = 24L << 20;

  public static HlsServices of(
      StreamServices stream, SegmentCache cache, HlsConfig config, Optional<LinkTokens> tokens) {
    return new HlsServices(stream, cache, config, tokens, new MemoryBudget(TEXT_BYTES));
  }
}
