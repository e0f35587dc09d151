package dev.millrace.cenc;

import dev.millrace.mp4.AuxiliaryOffsets;
import dev.millrace.mp4.Box;
import dev.millrace.mp4.FourCc;
import dev.millrace.mp4.SampleEncryption;
import dev.millrace.stream.MediaFormatException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The boxes of a fragment that say how it was protected, once it is clear (contract §4.3). */
final class ProtectionBoxes {
  static final int FREE = FourCc.of("free");
  static final int PSSH = FourCc.of("pssh");

  private static final int SEIG = FourCc.of("seig");
  private static final Set<Integer> AUXILIARY = Set.of(FourCc.of("saiz"), FourCc.of("saio"));
  private static final Set<Integer> GROUPS = Set.of(FourCc.of("sgpd"), FourCc.of("sbgp"));

  private ProtectionBoxes() {}

  /**
   * Those of a moof.
   *
   * @param clearedTracks its trafs that become clear; what others hold stays
   */
  static List<Box> of(Box moof, List<Box> clearedTracks) throws MediaFormatException {
    List<Box> boxes = new ArrayList<>();
    for (Box child : moof.children()) {
      if (child.type() == PSSH) {
        boxes.add(child);
      }
    }
    for (Box track : clearedTracks) {
      for (Box child : track.children()) {
        if (isProtection(child)) {
          boxes.add(child);
        }
      }
    }
    return boxes;
  }

  private static boolean isProtection(Box box) throws MediaFormatException {
    return box.type() == PSSH
        || SampleEncryption.is(box)
        || AUXILIARY.contains(box.type()) && AuxiliaryOffsets.isOfEncryption(box)
        || GROUPS.contains(box.type()) && box.intAt(4) == SEIG;
  }

  /** Makes it {@code free}, and what it holds zero; its length stays. */
  static void blank(Box box) {
    putType(box.bytes(), box.start() + 4, FREE);
    int header = box.contentStart() - box.start() >= 32 || isLong(box) ? 16 : 8;
    Arrays.fill(box.bytes(), box.start() + header, box.end(), (byte) 0);
  }

  private static boolean isLong(Box box) {
    byte[] bytes = box.bytes();
    int at = box.start();
    return bytes[at] == 0 && bytes[at + 1] == 0 && bytes[at + 2] == 0 && bytes[at + 3] == 1;
  }

  static void putType(byte[] bytes, int at, int type) {
    for (int i = 0; i < 4; i++) {
      bytes[at + i] = (byte) (type >>> 24 - 8 * i);
    }
  }
}
