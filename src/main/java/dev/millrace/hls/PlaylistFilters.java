package dev.millrace.hls;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is to be changed in playlists besides addresses. Each turns into edits; a playlist to which
 * one does not apply is not touched by it, and channel lists by none.
 *
 * <p><b>Start</b> (§4.4.2.2 of RFC 8216bis): see {@link StartTag}.
 *
 * <p><b>Variants</b>: see {@link VariantChoice}.
 *
 * <p><b>Skipped ranges</b>: a clock runs over the durations of a media playlist from its first
 * segment; segments that overlap a range go with the tags that belong to them. The next that stays
 * has an {@code EXT-X-DISCONTINUITY} before it, and then what is still in force: key,
 * initialization section, bit rate, date, offset of a byte range. Tags of the whole playlist and
 * date ranges stay. A playlist whose window slides and a delta update are not changed: their clock
 * has no fixed beginning. One that grows is offered without low latency: no parts, no blocking
 * reloads, no delta updates, since the numbers of its segments are not the origin's.
 *
 * <p><b>Clear segments</b>: links to segments and initialization sections that {@link ClearKeys}
 * can deliver in the clear carry what that needs; their keys and byte ranges go. A playlist that
 * has such segments is offered without parts and delta updates.
 *
 * @param start seconds that {@code EXT-X-START} is to say in every media playlist; negative: from
 *     the end
 * @param liveStart the same of live media playlists that have none, if {@code start} is absent
 * @param skip times that are left out of media playlists
 * @param variant which one stays in a multivariant playlist
 * @param isClear whether segments are delivered in the clear
 * @param hasSampleKeys whether there are keys for encrypted samples of fMP4
 */
public record PlaylistFilters(
    Optional<Double> start,
    Optional<Double> liveStart,
    Optional<SkippedRanges> skip,
    Optional<VariantChoice> variant,
    boolean isClear,
    boolean hasSampleKeys) {
  /** Nothing is changed. */
  public static final PlaylistFilters NONE =
      new PlaylistFilters(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false, false);

  /** Without keys for samples. */
  PlaylistFilters(
      Optional<Double> start,
      Optional<Double> liveStart,
      Optional<SkippedRanges> skip,
      Optional<VariantChoice> variant,
      boolean isClear) {
    this(start, liveStart, skip, variant, isClear, false);
  }

  /** A playlist, and where it was found. */
  record Playlist(
      PlaylistText text, PlaylistOutline outline, String baseUri, Map<String, String> imported) {}

  /**
   * The changes of one playlist, in rising order, without overlap. They are found while they are
   * read: memory does not follow their number, and each iterator reads the playlist anew.
   *
   * @param outline of that text
   * @param baseUri absolute; addresses of keys are resolved against it
   * @param imported variables of the multivariant playlist that led here, by name
   */
  public Iterable<Edit> edits(
      PlaylistText text, PlaylistOutline outline, String baseUri, Map<String, String> imported) {
    if (!outline.isPlaylist() || outline.isChannelList()) {
      return List.of();
    }
    if (outline.isMultivariant()) {
      return variant.<Iterable<Edit>>map(choice -> choice.edits(text)).orElse(List.of());
    }
    Playlist playlist = new Playlist(text, outline, baseUri, imported);
    return Edits.merged(
        new StartTag(start, liveStart).edits(text, outline), () -> mediaEdits(playlist));
  }

  private Iterator<Edit> mediaEdits(Playlist playlist) {
    LeadingGap gap = leadingGap(playlist, rangesOf(playlist));
    SkippedRanges ranges = gap.isDelta() ? SkippedRanges.NONE : rangesOf(playlist);
    boolean isClearHere =
        isClear && ClearKeys.areIn(playlist.text, playlist.baseUri, playlist.imported);
    boolean areSamplesHere =
        hasSampleKeys
            && ClearKeys.areOfSamplesIn(playlist.text, playlist.baseUri, playlist.imported);
    return ranges.isEmpty() && !isClearHere && !areSamplesHere
        ? List.<Edit>of().iterator()
        : new MediaEdits(
            playlist, ranges, isClearHere, areSamplesHere, leadingGap(playlist, ranges));
  }

  private SkippedRanges rangesOf(Playlist playlist) {
    return skip.filter(any -> !playlist.outline.isLive()).orElse(SkippedRanges.NONE);
  }

  private static LeadingGap leadingGap(Playlist playlist, SkippedRanges ranges) {
    return LeadingGap.of(playlist.text, ranges, playlist.baseUri, playlist.imported);
  }
}
