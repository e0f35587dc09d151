package dev.millrace.hls;

import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * Leaves segments out of a media playlist, and has segments delivered in the clear; what a user
 * should know of it says {@link PlaylistFilters}. Goes through the playlist once, as far as it is
 * asked, with a scan one segment ahead; memory does not follow the playlist's length.
 *
 * <p><b>What is in force.</b> Keys, initialization section, bit rate and date apply until they are
 * said anew. So two states are followed: what the original says ({@code keys}, {@code section} …),
 * and what a player knows that has read what was written ({@code writtenKeys} …). Before a segment
 * that stays, and at each of its keys, whatever differs is written. Where nothing is left out and
 * nothing is cleared both are the same, and nothing is written.
 *
 * <p><b>Numbers.</b> Segments that are left out at the beginning raise the media sequence number,
 * as if they had left a live window. After a later gap the numbers of segments are no longer those
 * of the original; a key without IV, for which the number is the IV, is then written again for each
 * segment, with IV.
 */
final class MediaEdits implements Iterator<Edit> {
  private final SkippedRanges ranges;
  private final boolean isClear;
  private final boolean areSamplesClear;
  private final LeadingGap leadingGap;
  private final String lineEnd;
  private final PlaylistLines lines;
  private final SegmentScan segment;
  private final KeyReader keyReader;
  private final EditQueue queue = new EditQueue();
  private final ByteRangeTag range = new ByteRangeTag();
  private final ProgramClock clock = new ProgramClock();

  private long mediaSequence;
  private long startNanos;
  private InitializationSection section = InitializationSection.NONE;
  private String bitrate = "";

  private KeysInForce writtenKeys = KeysInForce.NONE;
  private InitializationSection writtenSection = InitializationSection.NONE;
  private String writtenBitrate = "";

  private boolean isFirst = true;
  private boolean isHeader = true;
  private boolean isStart = true;
  private boolean isEnd;
  private boolean isLeftOut;
  private boolean isAnyKept;
  private boolean isAfterGap;
  private boolean isShifted;
  private boolean isDiscontinuityWritten;

  /**
   * At the beginning.
   *
   * @param ranges empty: no segment is left out
   * @param isClear whether segments are delivered in the clear
   * @param areSamplesClear whether fMP4 is, whose samples are encrypted
   */
  MediaEdits(
      PlaylistFilters.Playlist playlist,
      SkippedRanges ranges,
      boolean isClear,
      boolean areSamplesClear,
      LeadingGap leadingGap) {
    this.ranges = ranges;
    this.isClear = isClear;
    this.areSamplesClear = areSamplesClear;
    this.leadingGap = leadingGap;
    lineEnd = playlist.outline().lineEnd();
    lines = new PlaylistLines(playlist.text());
    segment = new SegmentScan(playlist.text(), playlist.baseUri(), playlist.imported());
    keyReader = new KeyReader(playlist.baseUri(), playlist.imported());
  }

  @Override
  public boolean hasNext() {
    while (queue.isEmpty() && !isEnd) {
      step();
    }
    return !queue.isEmpty();
  }

  @Override
  public Edit next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return queue.remove();
  }

  private void step() {
    if (isStart) {
      beginSegment();
    }
    if (!lines.next()) {
      queue.end();
      isEnd = true;
      return;
    }
    boolean isKey = keyReader.read(lines);
    readState();
    LineKind kind = lines.kind();
    if (kind.isOfLowLatency()) {
      editLowLatency();
    } else if (kind.isOfPlaylist()) {
      editNumbers();
    } else if (!isLeftOut) {
      keep(isKey);
    } else if (!isHeader || (kind != LineKind.OTHER && kind != LineKind.BLANK)) {
      leaveOut();
    }
    if (kind == LineKind.ADDRESS) {
      endSegment();
    }
  }

  private void beginSegment() {
    isStart = false;
    segment.next();
    long endNanos = DecimalSeconds.plus(startNanos, segment.durationNanos());
    isLeftOut = segment.hasAddress() && ranges.overlap(startNanos, endNanos);
    startNanos = endNanos;
    if (isLeftOut) {
      isShifted |= isAnyKept;
      isAfterGap = true;
    } else if (segment.hasAddress()) {
      if (isAfterGap) {
        bridgeGap();
      } else if (!segment.hasKeyFirst()) {
        insert(keyLines(keyReader.keys(), mediaSequence));
      }
      isAfterGap = false;
      isAnyKept = true;
    }
  }

  /** Writes what the segment after a gap needs, in the order in which players read it. */
  private void bridgeGap() {
    insert(isAnyKept ? "" : leadingGap.missingLines(lineEnd));
    insert("#EXT-X-DISCONTINUITY" + lineEnd);
    isDiscontinuityWritten = true;
    if (!segment.hasMap() && !section.equals(writtenSection)) {
      insert(keyLines(section.keys(), section.mediaSequence()));
      insertSection();
    }
    if (!segment.hasKeyFirst()) {
      insert(keyLines(keyReader.keys(), mediaSequence));
    }
    if (!segment.hasBitrate() && !bitrate.equals(writtenBitrate)) {
      insert(bitrate + lineEnd);
      writtenBitrate = bitrate;
    }
    if (!segment.hasDate() && segment.discontinuities() == 0) {
      String date = clock.next().map(LineKind.EXT_X_PROGRAM_DATE_TIME::line).orElse("");
      insert(date.isEmpty() ? "" : date + lineEnd);
    }
  }

  private void insertSection() {
    Map<String, String> carried = carriedOfSection();
    String line = carried.isEmpty() ? section.line() : section.clearLine();
    queue.add(lines.to(), lines.to(), line + lineEnd, carried);
    writtenSection = section;
  }

  private void insert(String text) {
    queue.add(lines.to(), lines.to(), text);
  }

  /** The lines with which a player knows these keys; then it does. */
  private String keyLines(KeysInForce keys, long forSegment) {
    KeysInForce wanted = wanted(keys, forSegment);
    String keyLines = wanted.lines(writtenKeys, lineEnd);
    writtenKeys = wanted;
    return keyLines;
  }

  private KeysInForce wanted(KeysInForce keys, long forSegment) {
    if (isCleared(keys)) {
      return KeysInForce.NONE;
    }
    return isShifted || forSegment != mediaSequence ? keys.of(forSegment) : keys;
  }

  private boolean isCleared(KeysInForce keys) {
    return (isClear && keys.clearable().isPresent()) || areSamplesCleared(keys);
  }

  /** Only fMP4 says how: what has no initialization section is left to the player. */
  private boolean areSamplesCleared(KeysInForce keys) {
    boolean hasSection = segment.hasMap() || !section.address().isEmpty();
    return areSamplesClear && hasSection && keys.areOfSamples();
  }

  private Map<String, String> carriedOfSection() {
    Map<String, String> carried = isClear ? section.carried() : Map.of();
    return carried.isEmpty() && areSamplesClear ? section.carriedOfSamples() : carried;
  }

  private void readState() {
    isHeader &= !lines.kind().isOfSegment();
    switch (lines.kind()) {
      case EXT_X_MEDIA_SEQUENCE ->
          mediaSequence = isFirst ? lines.number().orElse(0) : mediaSequence;
      case EXT_X_MAP -> readSection();
      case EXT_X_BYTERANGE -> range.read(lines.value());
      case EXT_X_PROGRAM_DATE_TIME -> clock.read(lines.value());
      case EXT_X_DISCONTINUITY -> clock.breakOff();
      case EXT_X_BITRATE -> bitrate = lines.text();
      default -> {}
    }
  }

  private void readSection() {
    if (!lines.text().isEmpty()) {
      section = InitializationSection.read(lines, keyReader, mediaSequence);
    }
  }

  private void keep(boolean isKey) {
    switch (lines.kind()) {
      case EXT_X_KEY -> keepKey(isKey);
      case EXT_X_MAP -> keepSection();
      case EXT_X_BYTERANGE -> keepByteRange();
      case EXT_X_BITRATE -> writtenBitrate = bitrate;
      case ADDRESS -> keepAddress();
      case EXT_X_DISCONTINUITY -> {
        if (isDiscontinuityWritten) {
          leaveOut();
        }
      }
      default -> {}
    }
  }

  private void keepKey(boolean isKey) {
    if (!isKey) {
      return;
    }
    KeysInForce asItStands = writtenKeys.plus(keyReader.last());
    if (asItStands.equals(wanted(keyReader.keys(), mediaSequence))) {
      writtenKeys = asItStands;
    } else {
      replace(keyLines(keyReader.keys(), mediaSequence));
    }
  }

  private void keepSection() {
    writtenSection = section;
    Map<String, String> carried = carriedOfSection();
    if (!carried.isEmpty() && !section.byteRange().isEmpty()) {
      queue.add(lines.from(), lines.to(), section.clearLine() + lineEnd, carried);
    } else {
      queue.add(lines.from(), lines.from(), "", carried);
    }
  }

  private void keepByteRange() {
    if (isCleared(segment.keys())) {
      leaveOut();
    } else if (isDiscontinuityWritten && range.isImplied()) {
      replace(LineKind.EXT_X_BYTERANGE.line(range.value()) + lineEnd);
    }
  }

  private void keepAddress() {
    if (areSamplesCleared(keyReader.keys()) && !section.address().isEmpty()) {
      queue.add(lines.from(), lines.from(), "", range.addTo(section.carriedBySegments()));
    } else if (isClear) {
      KeysInForce keys = keyReader.keys();
      keys.clearable()
          .map(key -> range.addTo(key.carried(mediaSequence)))
          .ifPresent(carried -> queue.add(lines.from(), lines.from(), "", carried));
    }
  }

  private void endSegment() {
    range.endSegment();
    clock.endSegment(segment.durationNanos());
    mediaSequence++;
    isDiscontinuityWritten = false;
    isFirst = false;
    isHeader = false;
    isStart = true;
  }

  private void editNumbers() {
    if (lines.kind() == LineKind.EXT_X_MEDIA_SEQUENCE) {
      raise(leadingGap.segments());
    } else if (lines.kind() == LineKind.EXT_X_DISCONTINUITY_SEQUENCE) {
      raise(leadingGap.discontinuities());
    }
  }

  private void raise(long by) {
    if (by > 0 && lines.number().isPresent()) {
      replace(lines.kind().line(Long.toString(lines.number().getAsLong() + by)) + lineEnd);
    }
  }

  /** Parts are not decrypted, and with other numbers no reload can be asked for by number. */
  private void editLowLatency() {
    boolean isNumbered = ranges.isEmpty();
    if (lines.kind() == LineKind.EXT_X_SERVER_CONTROL) {
      String control = lines.withAttributes(name -> isPossible(name, isNumbered));
      if (!control.equals(lines.text())) {
        replace(control.isEmpty() ? "" : control + lineEnd);
      }
    } else if (!isNumbered || lines.kind() != LineKind.EXT_X_RENDITION_REPORT) {
      leaveOut();
    }
  }

  /** Attributes of {@code EXT-X-SERVER-CONTROL} (RFC 8216bis §4.4.3.8). */
  private static boolean isPossible(String attribute, boolean isNumbered) {
    return switch (attribute) {
      case "CAN-SKIP-UNTIL", "CAN-SKIP-DATERANGES", "PART-HOLD-BACK" -> false;
      case "CAN-BLOCK-RELOAD" -> isNumbered;
      default -> true;
    };
  }

  private void replace(String text) {
    queue.add(lines.from(), lines.to(), text);
  }

  private void leaveOut() {
    queue.leaveOut(lines.from(), lines.to());
  }
}
