package dev.millrace.dash;

import dev.millrace.hls.SkippedRanges;
import java.util.OptionalDouble;

/**
 * What a media playlist is to be like.
 *
 * @param streamKey by which the {@link SequenceTracker} knows the presentation again: its address,
 *     and what else decides which segments are listed ({@code skip}); not the profile
 * @param startOffsetSeconds where players begin ({@code start_offset}); negative: from the end
 * @param liveStartSeconds how far from the end they begin at least, of a dynamic presentation, if
 *     nothing is asked; positive
 * @param liveDepth how many segments of a dynamic presentation are listed at least
 * @param skipped times whose segments are left out
 * @param isTransportStream whether MPEG-TS is wanted, where that can be
 */
public record MediaPlaylistOptions(
    String streamKey,
    OptionalDouble startOffsetSeconds,
    double liveStartSeconds,
    int liveDepth,
    SkippedRanges skipped,
    boolean isTransportStream) {
  /** The setting {@code MPD_LIVE_PLAYLIST_DEPTH}, if nobody has set it. */
  public static final int LIVE_DEPTH = 8;

  @Override
  public String toString() {
    return "options of a media playlist"; // the key holds an address
  }
}
