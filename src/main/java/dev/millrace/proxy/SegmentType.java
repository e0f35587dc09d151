package dev.millrace.proxy;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What the ending of a segment's link promises. Links end as players want them to, and not as the
 * origin names its files, so this counts only where the origin says nothing that can be true.
 */
final class SegmentType {
  private static final Map<String, String> BY_ENDING =
      Map.ofEntries(
          Map.entry("ts", MediaType.MPEG_TS.text()),
          Map.entry("m4s", MediaType.MP4.text()),
          Map.entry("mp4", MediaType.MP4.text()),
          Map.entry("m4v", MediaType.MP4.text()),
          Map.entry("cmfv", MediaType.MP4.text()),
          Map.entry("m4a", MediaType.M4A.text()),
          Map.entry("cmfa", MediaType.M4A.text()),
          Map.entry("aac", MediaType.AAC.text()),
          Map.entry("mp3", MediaType.MP3.text()),
          Map.entry("ac3", MediaType.AC3.text()),
          Map.entry("ec3", MediaType.EAC3.text()),
          Map.entry("vtt", MediaType.WEBVTT.text()),
          Map.entry("webvtt", MediaType.WEBVTT.text()),
          Map.entry("key", MediaTypes.UNKNOWN));

  private SegmentType() {}

  /**
   * Absent if it promises nothing.
   *
   * @param ending without its dot, in any case
   */
  static Optional<String> ofEnding(String ending) {
    return Optional.ofNullable(BY_ENDING.get(ending.toLowerCase(Locale.ROOT)));
  }
}
