package dev.millrace.hls;

import java.util.Map;

/**
 * One {@code EXT-X-MAP} (RFC 8216bis §4.4.4.5).
 *
 * @param address absolute; empty if it is none of {@code http} or {@code https}
 * @param line as it stands in the playlist, without its end; empty if there is none
 * @param clearLine the same without byte range
 * @param byteRange {@code n@o}, or {@code n} for the first bytes; empty if it is the whole resource
 * @param keys that apply to it
 * @param mediaSequence number of the segment that comes next
 */
record InitializationSection(
    String address,
    String line,
    String clearLine,
    String byteRange,
    KeysInForce keys,
    long mediaSequence) {
  static final InitializationSection NONE =
      new InitializationSection("", "", "", "", KeysInForce.NONE, 0);

  /** Reads the line that {@code lines} stands at. */
  static InitializationSection read(PlaylistLines lines, KeyReader keys, long mediaSequence) {
    return new InitializationSection(
        keys.absolute(lines.attribute("URI")),
        lines.text(),
        lines.withAttributes(name -> !name.equals("BYTERANGE")),
        lines.attribute("BYTERANGE"),
        keys.keys(),
        mediaSequence);
  }

  /** The same if its own bytes are clear, and speak of samples that are not. */
  Map<String, String> carriedOfSamples() {
    return range(ClearKeys.RANGE_PARAMETER, Map.of(ClearKeys.SAMPLES_PARAMETER, ClearKeys.INIT));
  }

  /** What the link of a segment carries whose samples are encrypted. */
  Map<String, String> carriedBySegments() {
    return range(
        ClearKeys.INIT_RANGE_PARAMETER,
        Map.of(ClearKeys.SAMPLES_PARAMETER, ClearKeys.MEDIA, ClearKeys.INIT_PARAMETER, address));
  }

  private Map<String, String> range(String parameter, Map<String, String> carried) {
    ByteRangeTag range = new ByteRangeTag();
    range.read(byteRange);
    return range.addTo(parameter, carried);
  }

  /** What its link carries so that it is delivered in the clear; empty if that cannot be. */
  Map<String, String> carried() {
    ByteRangeTag range = new ByteRangeTag();
    range.read(byteRange);
    return keys.clearable().map(key -> range.addTo(key.carried(mediaSequence))).orElse(Map.of());
  }
}
