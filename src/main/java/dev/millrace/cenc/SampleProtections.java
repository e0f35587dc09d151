package dev.millrace.cenc;

import dev.millrace.mp4.SampleGroups;
import dev.millrace.mp4.SampleProtection;
import dev.millrace.stream.MediaFormatException;
import java.util.Arrays;
import java.util.List;

/**
 * How each sample of a track fragment is protected: as its sample group says, or as its track does
 * (ISO/IEC 23001-7 §6, ISO/IEC 14496-12 §8.9).
 */
final class SampleProtections {
  private static final int FIRST_OF_FRAGMENT = 0x1_0001;

  private final SampleGroups ofFragment;
  private final SampleGroups ofTrack;
  private final SampleProtection otherwise;

  private SampleProtections(
      SampleGroups ofFragment, SampleGroups ofTrack, SampleProtection otherwise) {
    this.ofFragment = ofFragment;
    this.ofTrack = ofTrack;
    this.otherwise = otherwise;
  }

  /**
   * @param ofTrack groups of the sample table
   * @param otherwise of samples in no group
   * @return one for each sample
   * @throws MediaFormatException if a sample is in a group that is not described
   */
  static SampleProtection[] of(
      int samples, SampleGroups ofFragment, SampleGroups ofTrack, SampleProtection otherwise)
      throws MediaFormatException {
    SampleProtections groups = new SampleProtections(ofFragment, ofTrack, otherwise);
    SampleProtection[] all = new SampleProtection[samples];
    int at = 0;
    for (int run = 0; run < ofFragment.runCounts().length && at < samples; run++) {
      int end = (int) Math.min(samples, at + ofFragment.runCounts()[run]);
      Arrays.fill(all, at, end, groups.of(ofFragment.runIndexes()[run]));
      at = end;
    }
    Arrays.fill(all, at, samples, groups.of(0));
    return all;
  }

  private SampleProtection of(int index) throws MediaFormatException {
    if (index == 0) {
      return ofNoGroup();
    }
    if (index < FIRST_OF_FRAGMENT && index >= 1 && index <= ofTrack.descriptions().size()) {
      return ofTrack.descriptions().get(index - 1);
    }
    return ofFragment(index); // older packagers count the fragment's own from 1, too
  }

  private SampleProtection ofNoGroup() throws MediaFormatException {
    if (ofFragment.defaultIndex() != 0) {
      return ofFragment(ofFragment.defaultIndex());
    }
    return ofTrack.defaultIndex() != 0
        ? described(ofTrack.descriptions(), ofTrack.defaultIndex())
        : otherwise;
  }

  private SampleProtection ofFragment(int index) throws MediaFormatException {
    return described(
        ofFragment.descriptions(),
        index >= FIRST_OF_FRAGMENT ? index - FIRST_OF_FRAGMENT + 1 : index);
  }

  private static SampleProtection described(List<SampleProtection> groups, int index)
      throws MediaFormatException {
    if (index < 1 || index > groups.size()) {
      throw MediaFormatException.malformed(
          "Samples are in group "
              + index
              + " of type seig, and "
              + groups.size()
              + " are described.");
    }
    return groups.get(index - 1);
  }
}
