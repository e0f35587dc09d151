package dev.millrace.upstream;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Decodes gzip as it arrives (RFC 1952), members after the first included, and verifies what it
 * decoded. Any chunking of the input; confined to one caller; holds native memory until {@link
 * #close}.
 */
final class Gunzip implements AutoCloseable {
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;
  private static final int HEADER_CRC = 2;

  /** Where in a member the next byte belongs (RFC 1952 §2.3). */
  private enum Part {
    START,
    ID2,
    METHOD,
    FLAGS,
    /** MTIME, XFL and OS. */
    FIXED,
    EXTRA_LENGTH,
    EXTRA_BYTES,
    TEXT,
    HEADER_CRC_BYTES,
    DATA,
    TRAILER,
    /** Something that is no member follows: ignored, as every decoder does. */
    GARBAGE
  }

  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private Part part = Part.START;
  private int members;
  private int flags;
  private int left;
  private long number;

  /** Whether the input may end here; no input at all is an empty body. */
  boolean isComplete() {
    return part == Part.START || part == Part.GARBAGE;
  }

  /**
   * Decodes from {@code input} until {@code output} is full or the input is used up; bytes of the
   * input that are left belong to the next call.
   *
   * @return bytes written to {@code output}
   * @throws ZipException if this is not gzip, or not what was compressed
   */
  int decode(ByteBuffer input, byte[] output) throws ZipException {
    while (true) {
      if (part == Part.DATA) {
        int count = inflate(input, output);
        if (count > 0 || part == Part.DATA) {
          return count;
        }
      } else if (!input.hasRemaining()) {
        return 0;
      } else {
        readByte(input);
      }
    }
  }

  private int inflate(ByteBuffer input, byte[] output) throws ZipException {
    try {
      inflater.setInput(input);
      int count = inflater.inflate(output);
      if (inflater.needsDictionary()) {
        throw new ZipException("gzip data needs a dictionary");
      }
      crc.update(output, 0, count);
      if (inflater.finished()) {
        expect(Part.TRAILER, 8);
      }
      return count;
    } catch (DataFormatException e) {
      ZipException broken = new ZipException("gzip data is broken");
      broken.initCause(e);
      throw broken;
    }
  }

  private void readByte(ByteBuffer input) throws ZipException {
    int value = input.get() & 0xff;
    switch (part) {
      case START -> start(value, input);
      case ID2 -> next(value == 0x8b, Part.METHOD);
      case METHOD -> next(value == 8, Part.FLAGS);
      case FLAGS -> {
        flags = value;
        expect(Part.FIXED, 6);
      }
      case FIXED, HEADER_CRC_BYTES, EXTRA_BYTES -> {
        if (--left == 0) {
          nextOptionalField();
        }
      }
      case EXTRA_LENGTH -> {
        number |= (long) value << (8 * (2 - left));
        if (--left == 0) {
          extraOf((int) number);
        }
      }
      case TEXT -> {
        if (value == 0) {
          nextOptionalField();
        }
      }
      case TRAILER -> {
        number |= (long) value << (8 * (8 - left));
        if (--left == 0) {
          endMember();
        }
      }
      case GARBAGE -> input.position(input.limit());
      case DATA -> throw new IllegalStateException("deflate data is read by the inflater");
    }
  }

  private void start(int value, ByteBuffer input) throws ZipException {
    if (value == 0x1f) {
      part = Part.ID2;
    } else if (members > 0) {
      part = Part.GARBAGE;
      input.position(input.limit());
    } else {
      throw new ZipException("not gzip");
    }
  }

  private void next(boolean isExpected, Part following) throws ZipException {
    if (!isExpected) {
      throw new ZipException("not gzip");
    }
    part = following;
  }

  private void expect(Part following, int bytes) {
    part = following;
    left = bytes;
    number = 0;
  }

  /** Fields stand in this order, each if its flag is set. */
  private void nextOptionalField() {
    if ((flags & EXTRA) != 0) {
      flags &= ~EXTRA;
      expect(Part.EXTRA_LENGTH, 2);
    } else if ((flags & NAME) != 0) {
      flags &= ~NAME;
      part = Part.TEXT;
    } else if ((flags & COMMENT) != 0) {
      flags &= ~COMMENT;
      part = Part.TEXT;
    } else if ((flags & HEADER_CRC) != 0) {
      flags &= ~HEADER_CRC;
      expect(Part.HEADER_CRC_BYTES, 2);
    } else {
      part = Part.DATA;
    }
  }

  private void extraOf(int length) {
    if (length == 0) {
      nextOptionalField();
    } else {
      expect(Part.EXTRA_BYTES, length);
    }
  }

  private void endMember() throws ZipException {
    boolean isIntact =
        (number & 0xffffffffL) == crc.getValue()
            && (number >>> 32) == (inflater.getBytesWritten() & 0xffffffffL);
    if (!isIntact) {
      throw new ZipException("gzip checksum does not match");
    }
    inflater.reset();
    crc.reset();
    members++;
    part = Part.START;
  }

  @Override
  public void close() {
    inflater.end();
  }
}
