package dev.millrace.hls;

import org.jspecify.annotations.Nullable;

/**
 * The tags that hold addresses (RFC 8216bis §4.4), and the two that say how others are read. All
 * else in a playlist is {@link #OTHER} and none of our business.
 */
enum HlsTag {
  /** A comment, a tag without addresses, or an unknown one. */
  OTHER(""),
  /** §4.4.2.3. */
  DEFINE("EXT-X-DEFINE"),
  /** §4.4.4.4. */
  KEY("EXT-X-KEY", "URI", UriKind.KEY),
  /** §4.4.4.5. */
  MAP("EXT-X-MAP", "URI", UriKind.MAP),
  /** §4.4.4.9. */
  PART("EXT-X-PART", "URI", UriKind.PART),
  /** §4.4.5.1 and appendix D, interstitials. */
  DATERANGE("EXT-X-DATERANGE", "X-ASSET-URI", UriKind.ASSET, "X-ASSET-LIST", UriKind.ASSET_LIST),
  /** §4.4.5.3. */
  PRELOAD_HINT("EXT-X-PRELOAD-HINT", "URI", UriKind.PRELOAD_HINT),
  /** §4.4.5.4. */
  RENDITION_REPORT("EXT-X-RENDITION-REPORT", "URI", UriKind.RENDITION_REPORT),
  /** §4.4.6.1. */
  MEDIA("EXT-X-MEDIA", "URI", UriKind.RENDITION),
  /** §4.4.6.2; the next address is a variant's. */
  STREAM_INF("EXT-X-STREAM-INF"),
  /** §4.4.6.3. */
  I_FRAME_STREAM_INF("EXT-X-I-FRAME-STREAM-INF", "URI", UriKind.I_FRAME_VARIANT),
  /** Not in the standard: playlists of thumbnails. */
  IMAGE_STREAM_INF("EXT-X-IMAGE-STREAM-INF", "URI", UriKind.IMAGE_VARIANT),
  /** §4.4.6.4. */
  SESSION_DATA("EXT-X-SESSION-DATA", "URI", UriKind.SESSION_DATA),
  /** §4.4.6.5. */
  SESSION_KEY("EXT-X-SESSION-KEY", "URI", UriKind.SESSION_KEY),
  /** §4.4.6.6. */
  CONTENT_STEERING("EXT-X-CONTENT-STEERING", "SERVER-URI", UriKind.STEERING),
  /** Not in the standard: the whole value is the address of a segment to come. */
  PREFETCH("EXT-X-PREFETCH"),
  /** The same. */
  TWITCH_PREFETCH("EXT-X-TWITCH-PREFETCH");

  private static final HlsTag[] TAGS = values();

  private final String tag;
  private final String attribute;
  private final @Nullable UriKind kind;
  private final String otherAttribute;
  private final @Nullable UriKind otherKind;

  HlsTag(String tag) {
    this(tag, "", null, "", null);
  }

  HlsTag(String tag, String attribute, UriKind kind) {
    this(tag, attribute, kind, "", null);
  }

  HlsTag(
      String tag,
      String attribute,
      @Nullable UriKind kind,
      String otherAttribute,
      @Nullable UriKind otherKind) {
    this.tag = tag;
    this.attribute = attribute;
    this.kind = kind;
    this.otherAttribute = otherAttribute;
    this.otherKind = otherKind;
  }

  /**
   * The tag of a line.
   *
   * @param from of its {@code #}
   * @param to after the last byte of the line, its end excluded
   */
  static HlsTag of(byte[] line, int from, int to) {
    int end = nameEnd(line, from, to);
    if (end - from < 8 || line[from + 4] != '-') {
      return OTHER; // EXTINF, mostly
    }
    for (HlsTag candidate : TAGS) {
      if (candidate.tag.length() == end - from - 1 && candidate.isAt(line, from + 1)) {
        return candidate;
      }
    }
    return OTHER;
  }

  private static int nameEnd(byte[] line, int from, int to) {
    int end = from;
    while (end < to && line[end] != ':' && line[end] > ' ') {
      end++;
    }
    return end;
  }

  private boolean isAt(byte[] line, int from) {
    // From the end: they all begin alike.
    for (int i = tag.length() - 1; i >= 0; i--) {
      if (line[from + i] != tag.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Bytes from {@code #} to the first byte of the value, the colon included. */
  int valueOffset() {
    return tag.length() + 2;
  }

  /** What the current attribute leads to; null if it is no address. */
  @Nullable UriKind kindOf(AttributeList attributes) {
    if (attributes.isNamed(attribute)) {
      return kind;
    }
    return attributes.isNamed(otherAttribute) ? otherKind : null;
  }
}
