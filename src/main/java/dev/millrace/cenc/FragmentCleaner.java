package dev.millrace.cenc;

import dev.millrace.mp4.Box;
import dev.millrace.mp4.FourCc;
import dev.millrace.mp4.ProtectionBoxes;
import dev.millrace.stream.MediaFormatException;
import java.util.Set;

/** A movie fragment that says nothing of protection once its samples are clear (contract §4.3). */
final class FragmentCleaner {
  private static final int TRAF = FourCc.of("traf");

  private FragmentCleaner() {}

  /**
   * Cleans it where it stands.
   *
   * @param moof the whole box
   * @param clearTracks where the trafs begin that become clear; others stay bit by bit
   */
  static BlankedBoxes blank(Box moof, Set<Integer> clearTracks) throws MediaFormatException {
    BlankedBoxes blanked = new BlankedBoxes();
    blanked.enter(moof);
    for (Box child : moof.children()) {
      if (ProtectionBoxes.contain(child)) {
        blanked.blank(child);
      } else if (child.type() == TRAF && clearTracks.contains(child.start())) {
        blankTrack(child, blanked);
      }
    }
    blanked.leave();
    return blanked;
  }

  private static void blankTrack(Box traf, BlankedBoxes blanked) throws MediaFormatException {
    blanked.enter(traf);
    for (Box child : traf.children()) {
      if (ProtectionBoxes.contain(child)) {
        blanked.blank(child);
      }
    }
    blanked.leave();
  }
}
