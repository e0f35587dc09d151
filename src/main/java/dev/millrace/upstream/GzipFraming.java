package dev.millrace.upstream;

import java.nio.ByteBuffer;
import java.util.zip.ZipException;

/**
 * What surrounds the data of gzip members (RFC 1952 §2.3), byte by byte: header, optional fields,
 * trailer. The trailer's checks are not made: they guard against disks, not against cuts.
 */
final class GzipFraming {
  private static final int FIXED_BYTES = 10;
  private static final int FLAGS_AT = 3;
  private static final int TRAILER_BYTES = 8;
  private static final int[] MAGIC = {0x1f, 0x8b, 8};
  private static final int HEADER_CRC = 2;
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;

  private enum Part {
    FIXED,
    EXTRA_LENGTH,
    EXTRA,
    NAME,
    COMMENT,
    HEADER_CRC,
    DATA,
    TRAILER
  }

  private Part part = Part.FIXED;
  private int seen;
  private int flags;
  private int extraBytes;

  /** Consumes what is framing at the start of {@code bytes}, up to data or the end. */
  void read(ByteBuffer bytes) throws ZipException {
    while (part != Part.DATA && bytes.hasRemaining()) {
      take(bytes.get() & 0xff);
    }
  }

  private void take(int b) throws ZipException {
    seen++;
    switch (part) {
      case FIXED -> fixed(b);
      case EXTRA_LENGTH -> {
        extraBytes |= b << (8 * (seen - 1));
        endIf(seen == 2, extraBytes == 0 ? Part.NAME : Part.EXTRA);
      }
      case EXTRA -> endIf(seen == extraBytes, Part.NAME);
      case NAME -> endIf(b == 0, Part.COMMENT);
      case COMMENT -> endIf(b == 0, Part.HEADER_CRC);
      case HEADER_CRC -> endIf(seen == 2, Part.DATA);
      case TRAILER -> endIf(seen == TRAILER_BYTES, Part.FIXED);
      case DATA -> throw new IllegalStateException("data is not framing");
    }
  }

  private void fixed(int b) throws ZipException {
    if (seen <= MAGIC.length && b != MAGIC[seen - 1]) {
      throw new ZipException("not gzip");
    }
    if (seen == FLAGS_AT + 1) {
      flags = b;
    }
    endIf(seen == FIXED_BYTES, Part.EXTRA_LENGTH);
  }

  /** Goes on to {@code next}, or to what follows it if the flags say that there is none. */
  private void endIf(boolean isEnd, Part next) {
    if (isEnd) {
      seen = 0;
      part = next;
      skip(Part.EXTRA_LENGTH, EXTRA, Part.NAME);
      skip(Part.NAME, NAME, Part.COMMENT);
      skip(Part.COMMENT, COMMENT, Part.HEADER_CRC);
      skip(Part.HEADER_CRC, HEADER_CRC, Part.DATA);
    }
  }

  private void skip(Part optional, int flag, Part next) {
    if (part == optional && (flags & flag) == 0) {
      part = next;
    }
  }

  boolean isInData() {
    return part == Part.DATA;
  }

  /** The data of this member is complete. */
  void endData() {
    part = Part.TRAILER;
    seen = 0;
    extraBytes = 0;
  }

  /** Whether the body may end here. */
  boolean isBetweenMembers() {
    return part == Part.FIXED && seen == 0;
  }
}
