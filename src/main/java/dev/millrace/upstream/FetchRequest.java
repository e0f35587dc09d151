package dev.millrace.upstream;

import java.util.List;

/**
 * What a fetch is to bring, and from where.
 *
 * @param first what is asked; its target is the first source, and the only one that is sent its
 *     credentials
 * @param fallbacks further sources of the same, tried in this order; at most {@value
 *     #MAX_FALLBACKS}
 * @param isLive whether the body has no end of its own: what ends or breaks is opened again
 */
public record FetchRequest(UpstreamRequest first, List<Target> fallbacks, boolean isLive) {
  public static final int MAX_FALLBACKS = 8;

  public FetchRequest {
    fallbacks = List.copyOf(fallbacks);
    if (first.isForwarded() && (isLive || !fallbacks.isEmpty())) {
      throw new IllegalArgumentException("a forwarded request is sent once, to one origin");
    }
    if (fallbacks.size() > MAX_FALLBACKS) {
      throw new IllegalArgumentException(
          "fallbacks: " + fallbacks.size() + " (expected: at most " + MAX_FALLBACKS + ")");
    }
  }

  /** One source, and a body with an end. */
  public static FetchRequest of(UpstreamRequest first) {
    return new FetchRequest(first, List.of(), false);
  }

  int sources() {
    return 1 + fallbacks.size();
  }

  /** Where the source of that number is; 0: the first. */
  Target source(int number) {
    return number == 0 ? first.target() : fallbacks.get(number - 1);
  }
}
