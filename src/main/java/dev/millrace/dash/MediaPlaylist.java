package dev.millrace.dash;

import dev.millrace.stream.ByteBuilder;
import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.MediaFormatException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Writes one profile of a presentation as a media playlist (RFC 8216 §4.3.3) of fragmented MP4, of
 * MPEG-TS if that is wanted and its codecs allow it, or of one text file.
 *
 * <p>Limits: {@link StaticSegments#MAX_SEGMENTS}, {@link LiveWindow#MAX_SEGMENTS}, and fewer if
 * their addresses are long. What is written is never held as a whole. Confined to one caller.
 */
public final class MediaPlaylist {
  private static final int LEAST_LIVE_DEPTH = 15;
  private static final int DEPTH_BEYOND_START = 12;

  /** The same of transport streams, and how far from the end players of those begin. */
  private static final int LEAST_LIVE_DEPTH_OF_STREAMS = 20;

  private static final int DEPTH_BEYOND_START_OF_STREAMS = 10;
  private static final double LIVE_START_OF_STREAMS = 30;

  private final PlaylistWriter writer;

  private MediaPlaylist(PlaylistWriter writer) {
    this.writer = writer;
  }

  /**
   * What will be written; its last line has no end.
   *
   * @throws MediaFormatException if a static presentation has no segment of it, or there is more of
   *     it than the limits allow
   * @throws NotYetAvailableException if a dynamic one has none now
   */
  public static MediaPlaylist of(
      Presentation presentation,
      Profile profile,
      MediaPlaylistOptions options,
      PlaylistLinks links,
      SequenceTracker tracker)
      throws ExchangeException {
    return new MediaPlaylist(
        presentation.mpd().isDynamic()
            ? live(presentation, profile, options, links, tracker)
            : fixed(presentation, profile, options, links));
  }

  /**
   * Appends whole lines until there are so many bytes, or all is written.
   *
   * @return whether there is more
   */
  public boolean write(ByteBuilder out, int enoughBytes) {
    return writer.write(out, enoughBytes);
  }

  /** What its segments take while it is written, in bytes. */
  public long heldBytes() {
    return writer.heldBytes();
  }

  private static PlaylistWriter fixed(
      Presentation presentation, Profile profile, MediaPlaylistOptions options, PlaylistLinks links)
      throws MediaFormatException {
    List<ListedSegment> all = StaticSegments.of(presentation, profile);
    List<ListedSegment> kept = kept(all, options, false);
    PlaylistWriter writer =
        new PlaylistWriter(presentation, kept, links, isTransportStream(profile, options));
    writer.start(options.startOffsetSeconds());
    writer.targetDuration(TargetDuration.fixed(kept));
    writer.line("#EXT-X-MEDIA-SEQUENCE:" + Math.max(0, all.get(0).segment().number()));
    writer.line("#EXT-X-PLAYLIST-TYPE:VOD");
    writer.end();
    return writer;
  }

  private static PlaylistWriter live(
      Presentation presentation,
      Profile profile,
      MediaPlaylistOptions options,
      PlaylistLinks links,
      SequenceTracker tracker)
      throws ExchangeException {
    Mpd mpd = presentation.mpd();
    List<ListedSegment> window = LiveWindow.of(presentation, profile, depth(profile, options));
    List<ListedSegment> kept = kept(window, options, true);
    if (kept.isEmpty()) {
      throw NotYetAvailableException.of(profile);
    }
    SequenceTracker.Numbers numbers =
        tracker.numbers(
            new SequenceTracker.StreamId(options.streamKey(), profile.id()),
            mpd.availabilityStartTime().map(Instant::toEpochMilli).orElse(0L),
            PeriodBorders.of(mpd),
            kept,
            () -> FirstSequence.of(kept.get(0)));
    long target = TargetDuration.live(mpd, profile, numbers.longestMillis());
    PlaylistWriter writer =
        new PlaylistWriter(
            presentation, numbers.segments(), links, isTransportStream(profile, options));
    double start = -Math.max(liveStart(profile, options), 3.0 * target);
    writer.start(OptionalDouble.of(options.startOffsetSeconds().orElse(start)));
    writer.targetDuration(target);
    writer.line("#EXT-X-MEDIA-SEQUENCE:" + numbers.mediaSequence());
    if (numbers.discontinuitySequence() > 0) {
      writer.line("#EXT-X-DISCONTINUITY-SEQUENCE:" + numbers.discontinuitySequence());
    }
    if (isOver(mpd, window)) {
      writer.end();
    }
    return writer;
  }

  private static boolean isTransportStream(Profile profile, MediaPlaylistOptions options) {
    return options.isTransportStream() && TransportStreams.carry(profile);
  }

  private static double liveStart(Profile profile, MediaPlaylistOptions options) {
    return isTransportStream(profile, options) ? LIVE_START_OF_STREAMS : options.liveStartSeconds();
  }

  /** As many as the contract says (§1.6), so that players find the place where they begin. */
  private static int depth(Profile profile, MediaPlaylistOptions options) {
    List<Profile.InPeriod> members = profile.members();
    long nominal =
        NominalDuration.nanos(members.get(members.size() - 1).representation().addressing());
    double seconds = (double) nominal / MediaTime.NANOS_PER_SECOND;
    double offset =
        options
            .startOffsetSeconds()
            .orElse(-Math.max(liveStart(profile, options), 3 * Math.ceil(seconds)));
    boolean isStream = isTransportStream(profile, options);
    int more = isStream ? DEPTH_BEYOND_START_OF_STREAMS : DEPTH_BEYOND_START;
    double beyond = offset < 0 ? Math.ceil(-offset / seconds) + more : 0;
    int least =
        Math.max(options.liveDepth(), isStream ? LEAST_LIVE_DEPTH_OF_STREAMS : LEAST_LIVE_DEPTH);
    return (int) Math.min(LiveWindow.MAX_SEGMENTS, Math.max(least, beyond));
  }

  /** What is left of them by {@code skip}; the first one after what is left out is marked. */
  private static List<ListedSegment> kept(
      List<ListedSegment> segments, MediaPlaylistOptions options, boolean isLive) {
    if (options.skipped().isEmpty()) {
      return segments;
    }
    List<ListedSegment> kept = new ArrayList<>();
    boolean isAfterSkipped = false;
    long clock = 0;
    for (ListedSegment segment : segments) {
      long start = isLive ? Math.max(0, segment.startNanos()) : clock;
      long end = start + segment.endNanos() - segment.startNanos();
      boolean isSkipped = options.skipped().overlap(start, end);
      if (!isSkipped) {
        kept.add(isAfterSkipped ? segment.withDiscontinuity(true) : segment);
      }
      isAfterSkipped = isSkipped;
      clock = end;
    }
    return kept;
  }

  /** Whether the MPD will not change any more and all of it is there. */
  private static boolean isOver(Mpd mpd, List<ListedSegment> window) {
    ListedSegment last = window.get(window.size() - 1);
    long end = MediaTime.end(mpd.periods().get(mpd.periods().size() - 1));
    return mpd.minimumUpdatePeriod().isEmpty()
        && end != Long.MAX_VALUE
        && last.endNanos() + (last.endNanos() - last.startNanos()) / 2 >= end;
  }
}
