package dev.millrace.servlet;

import dev.millrace.hls.PlaylistOutline;
import java.time.Duration;

/** How old a playlist may be when it is given to somebody else (RFC 8216 §6.3.4). */
final class PlaylistAge {
  private static final Duration ENDED = Duration.ofSeconds(60);
  private static final long MOST_MILLIS = 1_000;

  private PlaylistAge() {}

  /**
   * One that does not change any more: a minute. Any other: a quarter of its target duration, half
   * of the shortest time after which a player may ask again, and at most a second; with parts, it
   * is out of date at once.
   */
  static Duration mostFor(PlaylistOutline outline) {
    if (outline.isEnded()) {
      return ENDED;
    }
    if (outline.partTargetSeconds().isPresent()) {
      return Duration.ZERO;
    }
    double seconds = outline.targetDurationSeconds().orElse(MOST_MILLIS);
    return Duration.ofMillis((long) Math.max(0, Math.min(MOST_MILLIS, seconds * 1_000 / 4)));
  }
}
