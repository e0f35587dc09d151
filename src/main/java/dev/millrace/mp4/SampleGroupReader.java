package dev.millrace.mp4;

import dev.millrace.stream.MediaFormatException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads groups of samples by their protection ({@code seig}) from a sample table or a track
 * fragment: ISO/IEC 14496-12 §8.9.2 and §8.9.3, ISO/IEC 23001-7 §6.
 *
 * <p>Version 2 of {@code sgpd} has two forms: with a default length (as all since the edition of
 * 2020) and without (2012). The one that fills the box is taken.
 */
public final class SampleGroupReader {
  /** More groups have no index in a fragment, where one begins at 0x10001. */
  public static final int MAX_DESCRIPTIONS = 65_535;

  private static final int SGPD = FourCc.of("sgpd");
  private static final int SBGP = FourCc.of("sbgp");
  private static final int CSGP = FourCc.of("csgp");
  private static final int SEIG = FourCc.of("seig");

  private SampleGroupReader() {}

  /**
   * All groups of one table or fragment.
   *
   * @param children of {@code stbl} or {@code traf}; other boxes and other groupings are passed
   *     over. Of several descriptions the first counts; of several assignments the first that gives
   *     a sample a group.
   * @return {@link SampleGroups#NONE} if there are none
   * @throws MediaFormatException if a box does not hold what it counts, or assigns groups in a way
   *     that is not read: several keys per sample, or {@code csgp}
   */
  public static SampleGroups read(List<Box> children) throws MediaFormatException {
    List<Box> boxes = new ArrayList<>();
    for (Box box : children) {
      if (isProtection(box)) {
        boxes.add(box);
      }
    }
    if (boxes.isEmpty()) {
      return SampleGroups.NONE;
    }
    Descriptions descriptions = new Descriptions(List.of(), 0);
    SampleRuns runs = SampleRuns.NONE;
    for (Box box : boxes) {
      if (box.type() == CSGP) {
        throw MediaFormatException.unsupported("Box 'csgp' assigns keys to samples.");
      } else if (box.type() == SBGP) {
        runs = runs.or(runs(box));
      } else if (descriptions.groups().isEmpty()) {
        descriptions = descriptions(box);
      }
    }
    return new SampleGroups(
        descriptions.groups(), descriptions.defaultIndex(), runs.counts(), runs.indexes());
  }

  /** Whether it describes groups by protection, or assigns samples to them. */
  public static boolean isProtection(Box box) throws MediaFormatException {
    boolean isGrouping = box.type() == SGPD || box.type() == SBGP || box.type() == CSGP;
    return isGrouping && box.contentLength() >= 8 && box.intAt(4) == SEIG;
  }

  private static SampleRuns runs(Box sbgp) throws MediaFormatException {
    int at = sbgp.version() == 0 ? 8 : 12; // a grouping type parameter stands before the count
    long count = sbgp.unsignedAt(at);
    if (count > (sbgp.contentLength() - at - 4) / 8) {
      throw MediaFormatException.malformed("Box 'sbgp' counts more runs than it holds.");
    }
    long[] counts = new long[(int) count];
    int[] indexes = new int[(int) count];
    for (int i = 0; i < count; i++) {
      counts[i] = sbgp.unsignedAt(at + 4 + 8 * i);
      indexes[i] = sbgp.intAt(at + 8 + 8 * i);
    }
    return new SampleRuns(counts, indexes);
  }

  private static Descriptions descriptions(Box sgpd) throws MediaFormatException {
    int version = sgpd.version();
    if (version == 0) {
      return new Descriptions(entries(sgpd, 8, Length.OF_ITSELF, 0), 0);
    }
    if (version == 1) {
      return new Descriptions(entries(sgpd, 12, Length.SAID, sgpd.unsignedAt(8)), 0);
    }
    try {
      int defaultIndex = sgpd.intAt(12);
      return new Descriptions(entries(sgpd, 16, Length.SAID, sgpd.unsignedAt(8)), defaultIndex);
    } catch (MediaFormatException e) {
      return new Descriptions(entries(sgpd, 12, Length.OF_ITSELF, 0), sgpd.intAt(8));
    }
  }

  /**
   * @param at of the count
   * @param defaultLength of each entry; 0: each says it
   */
  private static List<SampleProtection> entries(Box sgpd, int at, Length length, long defaultLength)
      throws MediaFormatException {
    long count = sgpd.unsignedAt(at);
    int rest = sgpd.contentLength() - at - 4;
    if (count > MAX_DESCRIPTIONS || count > rest / SampleProtectionReader.GROUP_BYTES) {
      throw MediaFormatException.malformed("Box 'sgpd' counts more groups than it can hold.");
    }
    List<SampleProtection> entries = new ArrayList<>((int) count);
    int next = at + 4;
    for (int i = 0; i < count; i++) {
      long bytes = defaultLength;
      if (length == Length.SAID && bytes == 0) {
        bytes = sgpd.unsignedAt(next);
        next += 4;
      } else if (length == Length.OF_ITSELF) {
        bytes = SampleProtectionReader.groupLength(sgpd, next);
      }
      if (bytes > sgpd.contentLength() - next) {
        throw MediaFormatException.malformed("A group of box 'sgpd' is longer than the box.");
      }
      entries.add(SampleProtectionReader.group(sgpd, next, (int) bytes));
      next += (int) bytes;
    }
    if (sgpd.version() >= 2 && next != sgpd.contentLength()) {
      throw MediaFormatException.malformed("Box 'sgpd' holds more than its groups.");
    }
    return entries;
  }

  /** Where the length of an entry stands. */
  private enum Length {
    SAID,
    OF_ITSELF
  }

  private record Descriptions(List<SampleProtection> groups, int defaultIndex) {}
}
