package dev.millrace.ts;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.millrace.mp4.Box;
import dev.millrace.stream.MediaFormatException;
import java.util.ArrayList;
import java.util.List;

/**
 * H.264 and H.265 as a byte stream (ITU-T H.264 and H.265, Annex B): lengths become start codes,
 * each picture gets an access unit delimiter, and one from which decoding can begin the parameter
 * sets of its track (ISO/IEC 14496-15 §5.3.3, §8.3.3), unless it brings its own.
 */
final class NalUnitFraming implements Framing {
  private static final int MAX_PARAMETER_SETS = 512;

  private final Syntax syntax;
  private final byte[] delimiter;
  private final int lengthBytes;
  private final List<byte[]> parameterSets;

  /** What differs between the two. */
  private enum Syntax {
    AVC("\t\u00f0", 9) {
      @Override
      int type(int first) {
        return first & 0x1f;
      }

      @Override
      boolean isEntry(int type) {
        return type == 5;
      }

      @Override
      boolean isParameterSet(int type) {
        return type == 7;
      }
    },
    HEVC("F\u0001P", 35) {
      @Override
      int type(int first) {
        return first >> 1 & 0x3f;
      }

      @Override
      boolean isEntry(int type) {
        return type >= 16 && type <= 21;
      }

      @Override
      boolean isParameterSet(int type) {
        return type == 33;
      }
    };

    /** For pictures of any kind. */
    private final String delimiter;

    private final int delimiterType;

    Syntax(String delimiter, int delimiterType) {
      this.delimiter = delimiter;
      this.delimiterType = delimiterType;
    }

    abstract int type(int first);

    /** Whether decoding can begin with it. */
    abstract boolean isEntry(int type);

    /** A sequence's. */
    abstract boolean isParameterSet(int type);
  }

  private NalUnitFraming(Syntax syntax, int lengthBytes, List<byte[]> parameterSets) {
    this.syntax = syntax;
    this.delimiter = syntax.delimiter.getBytes(ISO_8859_1);
    this.lengthBytes = lengthBytes;
    this.parameterSets = parameterSets;
  }

  /**
   * H.264.
   *
   * @param configuration {@code avcC} (ISO/IEC 14496-15 §5.3.3.1)
   */
  static NalUnitFraming avc(Box configuration) throws MediaFormatException {
    List<byte[]> sets = new ArrayList<>();
    int at = parameterSets(configuration, 6, configuration.byteAt(5) & 0x1f, sets);
    parameterSets(configuration, at + 1, configuration.byteAt(at), sets);
    return new NalUnitFraming(Syntax.AVC, 1 + (configuration.byteAt(4) & 3), sets);
  }

  /**
   * H.265.
   *
   * @param configuration {@code hvcC} (ISO/IEC 14496-15 §8.3.3.1)
   */
  static NalUnitFraming hevc(Box configuration) throws MediaFormatException {
    List<byte[]> sets = new ArrayList<>();
    int at = 23;
    for (int arrays = configuration.byteAt(22); arrays > 0; arrays--) {
      at = parameterSets(configuration, at + 3, configuration.shortAt(at + 1), sets);
    }
    return new NalUnitFraming(Syntax.HEVC, 1 + (configuration.byteAt(21) & 3), sets);
  }

  /** Gives where it ends. */
  private static int parameterSets(Box from, int start, int count, List<byte[]> sets)
      throws MediaFormatException {
    int at = start;
    for (int i = 0; i < count; i++) {
      int length = from.shortAt(at);
      if (sets.size() == MAX_PARAMETER_SETS) {
        throw MediaFormatException.malformed(
            "A track has more than " + MAX_PARAMETER_SETS + " parameter sets.");
      }
      sets.add(from.bytesAt(at + 2, length));
      at += 2 + length;
    }
    return at;
  }

  @Override
  public void write(byte[] sample, int length, AccessUnit unit) throws MediaFormatException {
    unit.u32(1).put(delimiter, 0, delimiter.length);
    boolean isEntry = false;
    boolean hasOwn = false;
    for (int at = 0; at < length; at = next(sample, at, length)) {
      int type = type(sample, at, length);
      isEntry |= syntax.isEntry(type);
      hasOwn |= syntax.isParameterSet(type);
    }
    if (isEntry && !hasOwn) {
      for (byte[] set : parameterSets) {
        unit.u32(1).put(set, 0, set.length);
      }
    }
    for (int at = 0; at < length; at = next(sample, at, length)) {
      int start = at + lengthBytes;
      int end = next(sample, at, length);
      if (end > start && type(sample, at, length) != syntax.delimiterType) {
        unit.u32(1).put(sample, start, end - start);
      }
    }
  }

  /** Of the unit whose length stands there; -1 if it is empty. */
  private int type(byte[] sample, int at, int length) throws MediaFormatException {
    return next(sample, at, length) > at + lengthBytes
        ? syntax.type(sample[at + lengthBytes] & 0xff)
        : -1;
  }

  private int next(byte[] sample, int at, int length) throws MediaFormatException {
    long size = 0;
    if (length - at >= lengthBytes) {
      for (int i = 0; i < lengthBytes; i++) {
        size = (size << 8) | (sample[at + i] & 0xff);
      }
    }
    if (length - at < lengthBytes || size > length - at - lengthBytes) {
      throw MediaFormatException.malformed(
          "A sample is not made of NAL units (expected: the key of this track, if it has one).");
    }
    return at + lengthBytes + (int) size;
  }
}
