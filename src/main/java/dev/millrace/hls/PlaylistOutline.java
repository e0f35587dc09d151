package dev.millrace.hls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.millrace.stream.ByteBuilder;
import java.util.OptionalDouble;

/**
 * What a playlist is, as one look through it tells (RFC 8216bis §4.4). Reads the first {@value
 * #MAX_LINE_BYTES} bytes of each line. Does not change; never throws for what a playlist says.
 */
public final class PlaylistOutline {
  private static final int MAX_LINE_BYTES = 512;
  private static final String MARK = "\u00ef\u00bb\u00bf";

  private boolean isPlaylist;
  private boolean isBegun;
  private boolean hasVariants;
  private boolean hasRenditions;
  private boolean hasSegments;
  private boolean hasEndlessSegments;
  private boolean isEnded;
  private boolean hasStart;
  private boolean isDelta;
  private long mediaSequence;
  private OptionalDouble targetDuration = OptionalDouble.empty();
  private OptionalDouble partTarget = OptionalDouble.empty();
  private int headerEnd;
  private String lineEnd = "\n";

  private PlaylistOutline() {}

  public static PlaylistOutline of(PlaylistText text) {
    PlaylistOutline outline = new PlaylistOutline();
    PlaylistText.Cursor cursor = text.cursor();
    ByteBuilder line = new ByteBuilder(MAX_LINE_BYTES);
    while (cursor.readLine(line.clear(), MAX_LINE_BYTES) > 0) {
      outline.read(line, cursor.position());
    }
    return outline;
  }

  private void read(ByteBuilder line, int position) {
    if (!isBegun) {
      readHeader(line, position);
    } else if (line.length() > 4 && line.at(0) <= '#') {
      String tag = new String(line.array(), 0, line.length(), ISO_8859_1).strip();
      if (tag.startsWith("#EXT")) {
        readTag(tag);
      }
    }
  }

  /** Blank lines and comments may come first. */
  private void readHeader(ByteBuilder line, int position) {
    String text = new String(line.array(), 0, line.length(), ISO_8859_1);
    String first = (text.startsWith(MARK) ? text.substring(MARK.length()) : text).strip();
    isPlaylist = first.startsWith("#EXTM3U");
    isBegun = !first.isEmpty() && (!first.startsWith("#") || first.startsWith("#EXT"));
    headerEnd = isPlaylist ? position : 0;
    lineEnd = text.endsWith("\r\n") ? "\r\n" : "\n";
    if (isBegun && !isPlaylist && first.startsWith("#EXT")) {
      readTag(first);
    }
  }

  private void readTag(String line) {
    int colon = line.indexOf(':');
    String value = colon < 0 ? "" : line.substring(colon + 1).strip();
    switch (colon < 0 ? line : line.substring(0, colon)) {
      case "#EXTINF" -> readSegment(value);
      case "#EXT-X-STREAM-INF" -> hasVariants = true;
      case "#EXT-X-MEDIA", "#EXT-X-I-FRAME-STREAM-INF", "#EXT-X-IMAGE-STREAM-INF" ->
          hasRenditions = true;
      case "#EXT-X-ENDLIST" -> isEnded = true;
      case "#EXT-X-PLAYLIST-TYPE" -> isEnded |= value.equals("VOD");
      case "#EXT-X-START" -> hasStart = true;
      case "#EXT-X-SKIP" -> isDelta = true;
      case "#EXT-X-MEDIA-SEQUENCE" -> mediaSequence = (long) number(value).orElse(0);
      case "#EXT-X-TARGETDURATION" -> targetDuration = number(value);
      case "#EXT-X-PART-INF" -> readPartTarget(value);
      default -> {}
    }
  }

  private void readSegment(String value) {
    hasSegments = true;
    hasEndlessSegments |= value.startsWith("-1");
  }

  private void readPartTarget(String value) {
    byte[] bytes = value.getBytes(ISO_8859_1);
    AttributeList attributes = new AttributeList().of(bytes, 0, bytes.length);
    while (attributes.next()) {
      if (attributes.isNamed("PART-TARGET")) {
        partTarget = number(attributes.value());
      }
    }
  }

  /** A decimal number that is not negative; empty if it is none. */
  private static OptionalDouble number(String value) {
    boolean isNumber = !value.isEmpty() && value.length() <= 20;
    for (int i = 0; i < value.length(); i++) {
      isNumber &= value.charAt(i) == '.' || (value.charAt(i) >= '0' && value.charAt(i) <= '9');
    }
    try {
      return isNumber ? OptionalDouble.of(Double.parseDouble(value)) : OptionalDouble.empty();
    } catch (NumberFormatException e) {
      return OptionalDouble.empty(); // more than one point
    }
  }

  /**
   * Whether {@code #EXTM3U} comes first (§4.4.1.1); before it may stand a byte order mark, blank
   * lines, and comments.
   */
  public boolean isPlaylist() {
    return isPlaylist;
  }

  /** Whether it lists playlists: it has variants, or renditions and no segments (§4.4.6). */
  public boolean isMultivariant() {
    return hasVariants || (hasRenditions && !hasSegments && targetDuration.isEmpty());
  }

  /** Whether nothing will be added: {@code EXT-X-ENDLIST} or the type {@code VOD}. */
  public boolean isEnded() {
    return isEnded;
  }

  /** Whether it is a media playlist that is not ended and whose first segments are gone. */
  public boolean isLive() {
    return !isMultivariant() && !isEnded && mediaSequence > 0;
  }

  /** Whether segments are left out of it that were in the one before (§4.4.5.2). */
  public boolean isDelta() {
    return isDelta;
  }

  /** {@code EXT-X-MEDIA-SEQUENCE} (§4.4.3.2): the number of the first segment; 0 if absent. */
  public long mediaSequence() {
    return mediaSequence;
  }

  /** Whether it has an {@code EXT-X-START} (§4.4.2.2). */
  public boolean hasStart() {
    return hasStart;
  }

  /** {@code EXT-X-TARGETDURATION} (§4.4.3.1); empty if absent or not a number. */
  public OptionalDouble targetDurationSeconds() {
    return targetDuration;
  }

  /** {@code PART-TARGET} of {@code EXT-X-PART-INF} (§4.4.3.7); empty if absent or not a number. */
  public OptionalDouble partTargetSeconds() {
    return partTarget;
  }

  /** Whether it is no playlist of the standard but a list of channels. */
  public boolean isChannelList() {
    return hasEndlessSegments && targetDuration.isEmpty();
  }

  /** Offset of the line after {@code #EXTM3U}, in bytes; 0 if there is none of that. */
  public int headerEnd() {
    return headerEnd;
  }

  /** How the line of {@code #EXTM3U} ends: CRLF or LF. */
  public String lineEnd() {
    return lineEnd;
  }
}
