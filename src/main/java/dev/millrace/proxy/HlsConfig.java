package dev.millrace.proxy;

import java.util.Optional;

/**
 * How playlists are rewritten.
 *
 * @param routing where media segments lead
 * @param stremioUrl of the streaming server that {@link ContentRouting#STREMIO} means; without it,
 *     segments lead here
 * @param liveStartSeconds what {@code EXT-X-START} says in a live playlist that has none and for
 *     which nothing was asked; absent: none is added
 * @param isGraceful whether an ended playlist without segments is answered (200) in place of what
 *     is no playlist, as older proxies do; otherwise 502
 */
public record HlsConfig(
    ContentRouting routing,
    Optional<String> stremioUrl,
    Optional<Double> liveStartSeconds,
    boolean isGraceful) {
  /** Whether segments of such a playlist are asked for at this server. */
  public boolean leadsSegmentsHere(HlsParameters parameters) {
    boolean isElsewhere =
        switch (routing) {
          case MEDIAFLOW -> false;
          case DIRECT -> true;
          case STREMIO -> stremioUrl.isPresent();
        };
    return !parameters.isUnproxied()
        && !parameters.isKeyOnly()
        && (!isElsewhere || parameters.isForced());
  }

  public static HlsConfig defaults() {
    return new HlsConfig(ContentRouting.MEDIAFLOW, Optional.empty(), Optional.of(-18.0), false);
  }
}
