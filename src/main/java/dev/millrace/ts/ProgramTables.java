package dev.millrace.ts;

import java.util.List;

/** PAT and PMT of the one program (ISO/IEC 13818-1 §2.4.4), each in one packet. */
final class ProgramTables {
  static final int PMT_PID = 0x1000;
  private static final int PROGRAM = 1;
  private static final int REGISTRATION = 5;

  private ProgramTables() {}

  /** The section of PID 0. */
  static AccessUnit association() {
    AccessUnit section = new AccessUnit().u8(0).u16(0xb000 | 13).u16(PROGRAM).u8(0xc1).u16(0);
    return checked(section.u16(PROGRAM).u16(0xe000 | PMT_PID));
  }

  /** The section of {@link #PMT_PID}. */
  static AccessUnit map(List<ElementaryStream> streams, int clockPid) {
    AccessUnit entries = new AccessUnit();
    for (ElementaryStream stream : streams) {
      ElementaryStream.Codec codec = stream.codec();
      entries.u8(codec.streamType()).u16(0xe000 | stream.pid());
      if (codec.registration() == 0) {
        entries.u16(0xf000);
      } else {
        entries.u16(0xf000 | 6).u8(REGISTRATION).u8(4).u32(codec.registration());
      }
    }
    AccessUnit section = new AccessUnit().u8(2).u16(0xb000 | 13 + entries.length());
    section.u16(PROGRAM).u8(0xc1).u16(0).u16(0xe000 | clockPid).u16(0xf000);
    return checked(section.put(entries.bytes(), 0, entries.length()));
  }

  private static AccessUnit checked(AccessUnit section) {
    return section.u32(crc(section.bytes(), section.length()));
  }

  /** CRC-32 as sections have it (Annex A): not reflected, nothing inverted at the end. */
  static int crc(byte[] bytes, int length) {
    int crc = -1;
    for (int i = 0; i < length; i++) {
      crc ^= bytes[i] << 24;
      for (int bit = 0; bit < 8; bit++) {
        crc = crc < 0 ? crc << 1 ^ 0x04c1_1db7 : crc << 1;
      }
    }
    return crc;
  }
}
