package dev.millrace.hls;

import java.math.BigDecimal;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * Says where players begin ({@code EXT-X-START}, RFC 8216bis §4.4.2.2), on a line after {@code
 * #EXTM3U}. What was asked for goes into every media playlist, in place of what the origin says;
 * the default only into live ones where the origin says nothing. Multivariant playlists are not
 * touched: there it would hold for every playlist.
 *
 * @param asked seconds, negative: from the end
 * @param liveDefault the same, if nothing is asked
 */
record StartTag(Optional<Double> asked, Optional<Double> liveDefault) {

  /** Of a playlist; at most one insertion, and one edit for each tag that is replaced. */
  Iterable<Edit> edits(PlaylistText text, PlaylistOutline outline) {
    // where parts are listed, a player that began so far behind would begin where there are none
    boolean isDefaultWanted =
        outline.isLive() && !outline.hasStart() && outline.partTargetSeconds().isEmpty();
    Optional<Double> seconds = asked.isPresent() || !isDefaultWanted ? asked : liveDefault;
    if (seconds.isEmpty() || outline.isMultivariant()) {
      return List.of();
    }
    String line = "#EXT-X-START:TIME-OFFSET=" + decimal(seconds.get()) + ",PRECISE=YES";
    int place = outline.headerEnd();
    List<Edit> insertion = List.of(new Edit(place, place, line + outline.lineEnd()));
    return outline.hasStart() ? Edits.merged(insertion, () -> new Replaced(text)) : insertion;
  }

  /** Without exponent, with one digit after the point at least. */
  private static String decimal(double seconds) {
    String decimal = BigDecimal.valueOf(seconds).toPlainString();
    return decimal.indexOf('.') < 0 ? decimal + ".0" : decimal;
  }

  /** Leaves out the tags that are there. */
  private static final class Replaced implements Iterator<Edit> {
    private final PlaylistLines lines;
    private boolean isThere;

    private Replaced(PlaylistText text) {
      lines = new PlaylistLines(text);
    }

    @Override
    public boolean hasNext() {
      while (!isThere && lines.next()) {
        isThere = lines.kind() == LineKind.EXT_X_START;
      }
      return isThere;
    }

    @Override
    public Edit next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      isThere = false;
      return new Edit(lines.from(), lines.to(), "");
    }
  }
}
