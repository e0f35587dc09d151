package dev.millrace.cenc;

import dev.millrace.cenc.ProtectedRanges.Setting;
import dev.millrace.mp4.SampleLayout;
import dev.millrace.mp4.SampleProtection;
import dev.millrace.stream.MediaFormatException;
import java.util.Optional;

/**
 * How the samples of one track fragment are decrypted (contract §4.4): where they stand, how each
 * is protected, and what stands with it, which may have to be waited for.
 */
final class TrackFragmentPlan {
  private final SampleLayout layout;
  private final SampleProtection[] protections;
  private final SampleSettings settings;
  private final AuxiliarySource source;
  private final byte[] iv = new byte[16];
  private long anomalies;

  /**
   * @param protections of each sample
   */
  TrackFragmentPlan(
      SampleLayout layout,
      SampleProtection[] protections,
      SampleSettings settings,
      AuxiliarySource source) {
    this.layout = layout;
    this.protections = protections;
    this.settings = settings;
    this.source = source;
  }

  SampleLayout layout() {
    return layout;
  }

  /** What is not there yet. */
  Optional<AuxiliaryPieces> awaited() {
    return source.awaited();
  }

  /** Takes of that what is there, and makes it zero. */
  void take(long position, byte[] bytes, int offset, int length) throws MediaFormatException {
    Optional<AuxiliaryPieces> pieces = source.awaited();
    if (pieces.isPresent()) {
      pieces.get().take(position, bytes, offset, length);
      source.pieceTaken();
    }
  }

  boolean isProtected(int sample) {
    return protections[sample].isProtected() && layout.size(sample) > 0;
  }

  /** What was odd in the samples so far. */
  long anomalies() {
    return anomalies;
  }

  /** Whether all protected samples can be decrypted, which fails with a key that is missing. */
  boolean hasKeys() throws MediaFormatException {
    for (int i = 0; i < protections.length; i++) {
      if (isProtected(i) && settings.of(protections[i]).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** Adds the ranges of a protected sample, whose key there is. */
  void add(int sample, ProtectedRanges ranges) throws MediaFormatException {
    AuxiliaryRecords records = source.records();
    SampleProtection protection = protections[sample];
    Setting setting = settings.of(protection).orElseThrow();
    java.util.Arrays.fill(iv, (byte) 0);
    if (records.ivSize(sample) > 0) {
      records.iv(sample, iv);
    } else {
      System.arraycopy(protection.constantIv(), 0, iv, 0, protection.constantIv().length);
    }
    ranges.sample(setting, iv, 0);
    long start = layout.start(sample);
    if (records.subsamples(sample) == AuxiliaryRecords.WHOLE) {
      ranges.range(start, start + layout.size(sample));
    } else {
      addSubsamples(sample, records, ranges);
    }
    if (ranges.count() > ProtectedRanges.MAX_RANGES) {
      throw MediaFormatException.malformed(
          "A fragment has more than " + ProtectedRanges.MAX_RANGES + " encrypted ranges.");
    }
  }

  private void addSubsamples(int sample, AuxiliaryRecords records, ProtectedRanges ranges)
      throws MediaFormatException {
    long at = layout.start(sample);
    long end = at + layout.size(sample);
    for (int i = 0; i < records.subsamples(sample); i++) {
      long from = at + records.clearBytes(sample, i);
      at = from + records.protectedBytes(sample, i);
      if (at > end) {
        throw MediaFormatException.malformed("The subsamples of a sample are longer than it is.");
      }
      ranges.range(from, at);
    }
    anomalies += at < end ? 1 : 0; // what is left is clear
  }
}
