package dev.millrace.cenc;

import dev.millrace.mp4.AuxiliarySizes;
import dev.millrace.mp4.SampleEncryption;
import dev.millrace.stream.MediaFormatException;
import java.util.Optional;

/**
 * What stands with each sample of a track fragment (ISO/IEC 23001-7 §7.1): its initialization
 * vector and its subsamples. Records stay in the array they came in; 9 bytes a sample beside it.
 */
final class AuxiliaryRecords {
  /** What {@link #subsamples} says of a sample that has none: it is protected as a whole. */
  static final int WHOLE = -1;

  private static final int SUBSAMPLE_BYTES = 6;

  private final byte[] source;
  private final int[] starts;
  private final byte[] ivSizes;
  private final int[] subsamples;

  private AuxiliaryRecords(byte[] source, byte[] ivSizes) {
    this.source = source;
    this.ivSizes = ivSizes;
    this.starts = new int[ivSizes.length];
    this.subsamples = new int[ivSizes.length];
  }

  /** Nothing stands with any sample. */
  static AuxiliaryRecords none(int samples) {
    AuxiliaryRecords records = new AuxiliaryRecords(new byte[0], new byte[samples]);
    java.util.Arrays.fill(records.subsamples, WHOLE);
    return records;
  }

  /**
   * Those of {@code senc}.
   *
   * @param ivSizes of the vector of each sample, in bytes
   * @param isExact whether nothing may follow them; zeros may otherwise
   * @return absent if they do not fit their box
   */
  static Optional<AuxiliaryRecords> of(SampleEncryption senc, byte[] ivSizes, boolean isExact) {
    if (senc.count() != ivSizes.length) {
      return Optional.empty();
    }
    AuxiliaryRecords records = new AuxiliaryRecords(senc.box().bytes(), ivSizes);
    int end = senc.box().end();
    int at = senc.box().contentStart() + senc.recordsOffset();
    for (int i = 0; i < ivSizes.length; i++) {
      int length = records.add(i, at, end, senc.hasSubsamples());
      if (length < 0) {
        return Optional.empty();
      }
      at += length;
    }
    return at == end || (!isExact && isZero(records.source, at, end))
        ? Optional.of(records)
        : Optional.empty();
  }

  /**
   * Those that {@code saiz} measures.
   *
   * @param source all of them, one behind the other
   * @param ivSizes of the vector of each sample, in bytes
   * @return absent if a record is of another length
   */
  static Optional<AuxiliaryRecords> of(AuxiliarySizes sizes, byte[] source, byte[] ivSizes)
      throws MediaFormatException {
    AuxiliaryRecords records = new AuxiliaryRecords(source, ivSizes.clone());
    int at = 0;
    for (int i = 0; i < ivSizes.length; i++) {
      int size = sizes.size(i);
      if (size == 0 && ivSizes[i] != 0) {
        return Optional.empty();
      }
      if (records.add(i, at, at + size, size > ivSizes[i]) != size) {
        return Optional.empty();
      }
      at += size;
    }
    return Optional.of(records);
  }

  /** Gives its length; -1 if it does not end before {@code end}. */
  private int add(int sample, int at, int end, boolean hasSubsamples) {
    int length = ivSizes[sample];
    starts[sample] = at;
    subsamples[sample] = WHOLE;
    if (hasSubsamples && at + length + 2 <= end) {
      int count = shortAt(at + length);
      // a count of 0 says that all of the sample is protected
      subsamples[sample] = count == 0 ? WHOLE : count;
      length += 2 + SUBSAMPLE_BYTES * count;
    } else if (hasSubsamples) {
      return -1;
    }
    return at + length <= end ? length : -1;
  }

  private static boolean isZero(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return true;
  }

  /** Of the vector that stands with a sample, in bytes; 0: none. */
  int ivSize(int sample) {
    return ivSizes[sample];
  }

  /** Copies the vector of a sample to the beginning of {@code into}. */
  void iv(int sample, byte[] into) {
    System.arraycopy(source, starts[sample], into, 0, ivSizes[sample]);
  }

  /** How many; {@link #WHOLE} if it is protected as a whole. */
  int subsamples(int sample) {
    return subsamples[sample];
  }

  /** Clear bytes that begin a subsample. */
  int clearBytes(int sample, int subsample) {
    return shortAt(at(sample, subsample));
  }

  /** Protected bytes that end it. */
  long protectedBytes(int sample, int subsample) {
    int at = at(sample, subsample) + 2;
    return (long) shortAt(at) << 16 | shortAt(at + 2);
  }

  private int at(int sample, int subsample) {
    return starts[sample] + ivSizes[sample] + 2 + SUBSAMPLE_BYTES * subsample;
  }

  private int shortAt(int at) {
    return (source[at] & 0xff) << 8 | (source[at + 1] & 0xff);
  }
}
