package dev.millrace.servlet;

import dev.millrace.link.LinkTokens;
import dev.millrace.proxy.HlsConfig;
import dev.millrace.stream.MemoryBudget;
import dev.millrace.upstream.Fetching;
import java.util.Optional;

/**
 * What requests for playlists share.
 *
 * @param source where playlists come from, and whatever is asked for as one
 * @param tokens what seals links; absent without a password
 * @param texts heap memory that playlists may take together while they are served
 */
public record HlsServices(
    StreamServices stream,
    Fetching.Source source,
    HlsConfig config,
    Optional<LinkTokens> tokens,
    MemoryBudget texts) {
  /** One playlist of the greatest size, and many of the usual. */
  private static final long TEXT_BYTES = 24L << 20;

  public static HlsServices of(
      StreamServices stream, HlsConfig config, Optional<LinkTokens> tokens) {
    return new HlsServices(stream, stream.fetcher(), config, tokens, new MemoryBudget(TEXT_BYTES));
  }
}
