package dev.millrace.cenc;

import dev.millrace.mp4.Box;
import dev.millrace.mp4.FourCc;
import dev.millrace.mp4.ProtectionBoxes;
import dev.millrace.mp4.SampleEntry;
import dev.millrace.mp4.SampleEntryReader;
import dev.millrace.mp4.TopLevel;
import dev.millrace.stream.MediaFormatException;
import java.util.Set;

/**
 * An initialization segment that says of protected tracks what they are when they are clear. Its
 * length stays: protected sample entries get their format back, and what speaks of protection
 * becomes {@code free} with zeros in it. Everything else stays bit by bit.
 */
public final class InitSegmentCleaner {
  private static final int MOOV = FourCc.of("moov");
  private static final int STSD = FourCc.of("stsd");
  private static final int PIFF = FourCc.of("piff");
  private static final Set<Integer> CONTAINERS =
      Set.of(
          FourCc.of("trak"),
          FourCc.of("mdia"),
          FourCc.of("minf"),
          FourCc.of("stbl"),
          FourCc.of("mvex"));

  private InitSegmentCleaner() {}

  /**
   * The clean form of an initialization segment, as long as it is.
   *
   * @param ftypAndMoov stays as it is; may go on behind the movie, which is copied
   * @param isCompact whether blanked boxes are left out of {@code moov} and one {@code free} box
   *     follows it, for players that mind such boxes within
   * @throws MediaFormatException if it has no {@code moov} (it may be a page of HTML), or a
   *     protected entry does not say how, or is protected by a scheme that is not read here
   */
  public static byte[] clean(byte[] ftypAndMoov, boolean isCompact) throws MediaFormatException {
    byte[] bytes = ftypAndMoov.clone();
    for (Box box : TopLevel.boxes(bytes)) {
      if (box.type() == MOOV && isCompact) {
        byte[] compact = compact(box);
        System.arraycopy(compact, 0, bytes, box.start(), compact.length);
      } else if (box.type() == MOOV) {
        blank(box);
      } else if (ProtectionBoxes.contain(box)) {
        new BlankedBoxes().blank(box);
      }
    }
    return bytes;
  }

  /**
   * Cleans a movie where it stands.
   *
   * @param moov the whole box; what was read from it before is true of its old form only
   * @throws MediaFormatException as {@link #clean}; the box may be changed in part then
   */
  public static void blank(Box moov) throws MediaFormatException {
    blanked(moov);
  }

  /**
   * The clean form of a movie without what is blanked, and one {@code free} box behind it.
   *
   * @param moov the whole box; it is changed
   * @return as long as {@code moov}
   */
  public static byte[] compact(Box moov) throws MediaFormatException {
    return blanked(moov).compacted(moov);
  }

  private static BlankedBoxes blanked(Box moov) throws MediaFormatException {
    BlankedBoxes blanked = new BlankedBoxes();
    descend(moov, blanked, 1);
    return blanked;
  }

  private static void descend(Box container, BlankedBoxes blanked, int depth)
      throws MediaFormatException {
    if (depth > Box.MAX_DEPTH) {
      throw MediaFormatException.malformed("Boxes are nested deeper than " + Box.MAX_DEPTH + ".");
    }
    blanked.enter(container);
    for (Box child : container.children()) {
      if (ProtectionBoxes.contain(child)) {
        blanked.blank(child);
      } else if (child.type() == STSD) {
        sampleEntries(child, blanked);
      } else if (CONTAINERS.contains(child.type())) {
        descend(child, blanked, depth + 1);
      }
    }
    blanked.leave();
  }

  private static void sampleEntries(Box stsd, BlankedBoxes blanked) throws MediaFormatException {
    blanked.enter(stsd);
    for (Box box : stsd.children(stsd.checked(8, 0))) {
      SampleEntry entry = SampleEntryReader.read(box);
      if (entry.encryption().isPresent()) {
        clear(entry, blanked);
      }
    }
    blanked.leave();
  }

  private static void clear(SampleEntry entry, BlankedBoxes blanked) throws MediaFormatException {
    int scheme = entry.encryption().orElseThrow().scheme();
    if (scheme != 0 && scheme != PIFF && ProtectionScheme.of(scheme).isEmpty()) {
      throw MediaFormatException.unsupported(
          "Protection scheme '" + FourCc.text(scheme) + "' is not read.");
    }
    blanked.enter(entry.box());
    for (Box sinf : SampleEntryReader.protections(entry.box())) {
      blanked.blank(sinf);
    }
    blanked.leave();
    BlankedBoxes.putType(entry.box(), entry.format());
  }
}
