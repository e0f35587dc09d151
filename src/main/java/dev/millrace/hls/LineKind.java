package dev.millrace.hls;

/**
 * What a line of a playlist is to those who leave lines out (RFC 8216bis §4.1 and §4.4). Names are
 * the standard's.
 */
enum LineKind {
  /** Nothing, or blanks. */
  BLANK(Belongs.TO_SEGMENT),
  /** No tag and no comment. */
  ADDRESS(Belongs.TO_SEGMENT),
  /** A comment, or a tag that is not told apart here. */
  OTHER(Belongs.TO_SEGMENT),

  EXTM3U("EXTM3U", Belongs.TO_PLAYLIST),
  EXT_X_VERSION("EXT-X-VERSION", Belongs.TO_PLAYLIST),
  EXT_X_INDEPENDENT_SEGMENTS("EXT-X-INDEPENDENT-SEGMENTS", Belongs.TO_PLAYLIST),
  EXT_X_START("EXT-X-START", Belongs.TO_PLAYLIST),
  EXT_X_DEFINE("EXT-X-DEFINE", Belongs.TO_PLAYLIST),
  EXT_X_TARGETDURATION("EXT-X-TARGETDURATION", Belongs.TO_PLAYLIST),
  EXT_X_MEDIA_SEQUENCE("EXT-X-MEDIA-SEQUENCE", Belongs.TO_PLAYLIST),
  EXT_X_DISCONTINUITY_SEQUENCE("EXT-X-DISCONTINUITY-SEQUENCE", Belongs.TO_PLAYLIST),
  EXT_X_ENDLIST("EXT-X-ENDLIST", Belongs.TO_PLAYLIST),
  EXT_X_PLAYLIST_TYPE("EXT-X-PLAYLIST-TYPE", Belongs.TO_PLAYLIST),
  EXT_X_I_FRAMES_ONLY("EXT-X-I-FRAMES-ONLY", Belongs.TO_PLAYLIST),
  EXT_X_ALLOW_CACHE("EXT-X-ALLOW-CACHE", Belongs.TO_PLAYLIST),
  EXT_X_SKIP("EXT-X-SKIP", Belongs.TO_PLAYLIST),
  EXT_X_DATERANGE("EXT-X-DATERANGE", Belongs.TO_PLAYLIST),

  EXT_X_PART_INF("EXT-X-PART-INF", Belongs.TO_LOW_LATENCY),
  EXT_X_SERVER_CONTROL("EXT-X-SERVER-CONTROL", Belongs.TO_LOW_LATENCY),
  EXT_X_PART("EXT-X-PART", Belongs.TO_LOW_LATENCY),
  EXT_X_PRELOAD_HINT("EXT-X-PRELOAD-HINT", Belongs.TO_LOW_LATENCY),
  EXT_X_RENDITION_REPORT("EXT-X-RENDITION-REPORT", Belongs.TO_LOW_LATENCY),
  /** Not in the standard: the address of a segment to come. */
  EXT_X_PREFETCH("EXT-X-PREFETCH", Belongs.TO_LOW_LATENCY),
  /** The same. */
  EXT_X_TWITCH_PREFETCH("EXT-X-TWITCH-PREFETCH", Belongs.TO_LOW_LATENCY),

  EXTINF("EXTINF", Belongs.TO_SEGMENT),
  EXT_X_BYTERANGE("EXT-X-BYTERANGE", Belongs.TO_SEGMENT),
  EXT_X_DISCONTINUITY("EXT-X-DISCONTINUITY", Belongs.TO_SEGMENT),
  EXT_X_KEY("EXT-X-KEY", Belongs.TO_SEGMENT),
  EXT_X_MAP("EXT-X-MAP", Belongs.TO_SEGMENT),
  EXT_X_PROGRAM_DATE_TIME("EXT-X-PROGRAM-DATE-TIME", Belongs.TO_SEGMENT),
  EXT_X_GAP("EXT-X-GAP", Belongs.TO_SEGMENT),
  EXT_X_BITRATE("EXT-X-BITRATE", Belongs.TO_SEGMENT),

  EXT_X_STREAM_INF("EXT-X-STREAM-INF", Belongs.TO_PLAYLIST);

  /** What goes when a line's segment goes. */
  private enum Belongs {
    TO_PLAYLIST,
    TO_LOW_LATENCY,
    TO_SEGMENT
  }

  private static final LineKind[] KINDS = values();

  private final String tag;
  private final Belongs belongs;

  LineKind(Belongs belongs) {
    this("", belongs);
  }

  LineKind(String tag, Belongs belongs) {
    this.tag = tag;
    this.belongs = belongs;
  }

  /**
   * The tag of a line that begins with {@code #}.
   *
   * @param from of the byte after the {@code #}
   * @param to after the last byte, line end excluded
   */
  static LineKind ofTag(byte[] line, int from, int to) {
    int end = from;
    while (end < to && line[end] != ':' && line[end] > ' ') {
      end++;
    }
    for (LineKind kind : KINDS) {
      if (!kind.tag.isEmpty() && kind.tag.length() == end - from && kind.isAt(line, from)) {
        return kind;
      }
    }
    return OTHER;
  }

  private boolean isAt(byte[] line, int from) {
    for (int i = tag.length() - 1; i >= 0; i--) { // from the end: most begin alike
      if (line[from + i] != tag.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Bytes from the {@code #} to the first byte of the value, the colon included. */
  int valueOffset() {
    return tag.length() + 2;
  }

  /** The tag with a value. */
  String line(String value) {
    return '#' + tag + ':' + value;
  }

  /** Whether it says something of the whole playlist, and stays when segments fall out. */
  boolean isOfPlaylist() {
    return belongs == Belongs.TO_PLAYLIST;
  }

  /** Whether it serves playing close to the live edge (§4.4.3.7, §4.4.3.8, §4.4.4.9, §4.4.5). */
  boolean isOfLowLatency() {
    return belongs == Belongs.TO_LOW_LATENCY;
  }

  /** Whether it is a tag of segments (§4.4.4), after which nothing is the playlist's header. */
  boolean isOfSegment() {
    return belongs == Belongs.TO_SEGMENT && !tag.isEmpty();
  }
}
