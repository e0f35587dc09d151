package dev.millrace.hls;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The keys that apply at a place of a playlist: the last of each key format, in their order (RFC
 * 8216bis §4.4.4.4). Of more than {@link #MAX_FORMATS} formats the latest.
 */
record KeysInForce(List<SegmentKey> keys) {
  static final int MAX_FORMATS = 16;
  static final KeysInForce NONE = new KeysInForce(List.of());

  /** After one more. */
  KeysInForce plus(SegmentKey key) {
    if (key.isNone()) {
      return NONE;
    }
    List<SegmentKey> after = new ArrayList<>(keys);
    after.removeIf(other -> other.keyFormat().equals(key.keyFormat()));
    if (after.size() == MAX_FORMATS) {
      after.remove(0);
    }
    after.add(key);
    return new KeysInForce(List.copyOf(after));
  }

  /** The one with which this server can decrypt. */
  Optional<SegmentKey> clearable() {
    return keys.stream().filter(SegmentKey::isClearable).findFirst();
  }

  /** Whether samples are encrypted, in the ways of ISO/IEC 23001-7. */
  boolean areOfSamples() {
    return keys.stream().anyMatch(SegmentKey::isOfSamples);
  }

  /** As they have to be for the segment of that number. */
  KeysInForce of(long mediaSequence) {
    return keys.stream().anyMatch(SegmentKey::isSequenceBound)
        ? new KeysInForce(keys.stream().map(key -> key.of(mediaSequence)).toList())
        : this;
  }

  /**
   * The lines that lead a player from other keys to these.
   *
   * @param lineEnd of each
   */
  String lines(KeysInForce before, String lineEnd) {
    if (equals(before)) {
      return "";
    }
    StringBuilder lines = new StringBuilder();
    boolean isReplaced = before.keys.stream().allMatch(key -> has(key.keyFormat()));
    if (!isReplaced) {
      lines.append(SegmentKey.NONE.line()).append(lineEnd);
    }
    for (SegmentKey key : keys) {
      lines.append(key.line()).append(lineEnd);
    }
    return lines.toString();
  }

  private boolean has(String keyFormat) {
    return keys.stream().anyMatch(key -> key.keyFormat().equals(keyFormat));
  }
}
