package dev.millrace.servlet;

import dev.millrace.cache.SegmentCache;
import dev.millrace.link.LinkTokens;
import dev.millrace.proxy.ChildLinks;
import dev.millrace.proxy.HlsConfig;
import dev.millrace.proxy.HlsParameters;
import dev.millrace.stream.MemoryBudget;
import dev.millrace.upstream.UpstreamHead;
import java.util.Optional;

/**
 * What requests for playlists share.
 *
 * @param cache where documents come from: many who ask for one at a time share it
 * @param tokens what seals links; absent without a password
 * @param texts heap memory that playlists may take together while they are served, up to 1 MiB each
 * @param longTexts the same for what they have beyond that
 */
public record HlsServices(
    StreamServices stream,
    SegmentCache cache,
    HlsConfig config,
    Optional<LinkTokens> tokens,
    MemoryBudget texts,
    MemoryBudget longTexts) {
  private static final long TEXT_BYTES = 8L << 20;

  /** One playlist of the greatest size. */
  private static final long LONG_TEXT_BYTES = 16L << 20;

  public static HlsServices of(
      StreamServices stream, SegmentCache cache, HlsConfig config, Optional<LinkTokens> tokens) {
    return new HlsServices(
        stream,
        cache,
        config,
        tokens,
        new MemoryBudget(TEXT_BYTES),
        new MemoryBudget(LONG_TEXT_BYTES));
  }

  /** Of one playlist. */
  ChildLinks links(HlsParameters parameters, RouteRequest request, UpstreamHead head) {
    return ChildLinks.of(
        parameters, request.grant(), request.arrival().publicAddress(), head, config, tokens);
  }

  /** For one playlist. */
  TextHold newText() {
    return new TextHold(texts, longTexts);
  }
}
