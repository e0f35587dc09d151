package dev.millrace.cache;

import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.Header;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.Target;
import dev.millrace.upstream.UpstreamRequest;
import dev.millrace.upstream.UpstreamRequest.Manner;
import java.util.Optional;

/**
 * What makes two requests the same: everything that the origin is told. So nobody gets bytes that
 * were fetched with somebody else's credentials, cookies or range, and {@code Vary} (RFC 9111 §4.1)
 * has nothing left to tell apart.
 *
 * @param target with its credentials
 * @param headers in their order, {@code Range} among them
 */
record CacheKey(Manner manner, Target target, Headers headers) {
  /** Longest target and fields together that are kept, in characters. */
  static final int MAX_CHARACTERS = 8 << 10;

  /**
   * Absent for what is not shared: all but GET, forwarded requests, bodies that are opened again
   * when they end, those with further sources, and requests that are too long to be kept.
   */
  static Optional<CacheKey> of(FetchRequest request) {
    UpstreamRequest first = request.first();
    boolean isShared =
        first.method().equals("GET")
            && first.manner() != Manner.FORWARDED
            && !request.isLive()
            && request.fallbacks().isEmpty();
    CacheKey key = new CacheKey(first.manner(), first.target(), first.headers());
    return isShared && key.characters() <= MAX_CHARACTERS ? Optional.of(key) : Optional.empty();
  }

  /** Of its target and fields. */
  int characters() {
    int sum = target.host().length() + target.requestTarget().length();
    for (Header line : headers) {
      sum += line.name().length() + line.value().length();
    }
    return sum;
  }

  boolean isDocument() {
    return manner == Manner.DOCUMENT;
  }

  /** Fields hold credentials. */
  @Override
  public String toString() {
    return manner + " " + target;
  }
}
