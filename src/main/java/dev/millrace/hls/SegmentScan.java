package dev.millrace.hls;

import java.util.Map;
import java.util.OptionalLong;

/**
 * Goes from segment to segment, and says of each what its lines hold: from after the address of the
 * one before to its own address. The last may be a rest without address. Confined to one caller.
 */
final class SegmentScan {
  private final PlaylistLines lines;
  private final KeyReader keyReader;
  private boolean hasAddress;
  private boolean hasKeyFirst;
  private boolean hasMap;
  private boolean hasDate;
  private boolean hasBitrate;
  private int discontinuities;
  private long durationNanos;
  private OptionalLong mediaSequence = OptionalLong.empty();
  private OptionalLong discontinuitySequence = OptionalLong.empty();
  private boolean isDelta;

  SegmentScan(PlaylistText text, String baseUri, Map<String, String> imported) {
    lines = new PlaylistLines(text);
    keyReader = new KeyReader(baseUri, imported);
  }

  /** Moves to the next segment, or to the rest; false if there is nothing. */
  boolean next() {
    hasAddress = false;
    hasKeyFirst = false;
    hasMap = false;
    hasDate = false;
    hasBitrate = false;
    discontinuities = 0;
    durationNanos = 0;
    boolean isThere = false;
    while (!hasAddress && lines.next()) {
      isThere = true;
      read();
    }
    return isThere;
  }

  private void read() {
    boolean isKey = keyReader.read(lines);
    switch (lines.kind()) {
      case ADDRESS -> hasAddress = true;
      case EXTINF -> durationNanos = durationNanos(lines);
      case EXT_X_KEY -> hasKeyFirst |= isKey && !hasMap;
      case EXT_X_MAP -> hasMap = true;
      case EXT_X_PROGRAM_DATE_TIME -> hasDate = true;
      case EXT_X_BITRATE -> hasBitrate = true;
      case EXT_X_DISCONTINUITY -> discontinuities++;
      case EXT_X_MEDIA_SEQUENCE -> mediaSequence = lines.number();
      case EXT_X_DISCONTINUITY_SEQUENCE -> discontinuitySequence = lines.number();
      case EXT_X_SKIP -> isDelta = true;
      default -> {}
    }
  }

  /** Of an {@code EXTINF} (§4.4.4.1); 0 if it is no duration. */
  private static long durationNanos(PlaylistLines lines) {
    String value = lines.value();
    int comma = value.indexOf(',');
    long nanos = DecimalSeconds.nanos((comma < 0 ? value : value.substring(0, comma)).strip());
    return nanos == DecimalSeconds.NONE ? 0 : nanos;
  }

  boolean hasAddress() {
    return hasAddress;
  }

  /** 0 if it is not said. */
  long durationNanos() {
    return durationNanos;
  }

  /** Whether a key of its own comes before all that a key applies to. */
  boolean hasKeyFirst() {
    return hasKeyFirst;
  }

  boolean hasMap() {
    return hasMap;
  }

  /** Whether it has an {@code EXT-X-PROGRAM-DATE-TIME}. */
  boolean hasDate() {
    return hasDate;
  }

  boolean hasBitrate() {
    return hasBitrate;
  }

  int discontinuities() {
    return discontinuities;
  }

  /** Those that apply to it. */
  KeysInForce keys() {
    return keyReader.keys();
  }

  /** Of the first segment, as far as it was read. */
  OptionalLong mediaSequence() {
    return mediaSequence;
  }

  /** The same. */
  OptionalLong discontinuitySequence() {
    return discontinuitySequence;
  }

  /** Whether there was an {@code EXT-X-SKIP}: a playlist that continues one that was sent. */
  boolean isDelta() {
    return isDelta;
  }
}
