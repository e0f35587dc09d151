package dev.millrace.dash;

import dev.millrace.dash.Addressing.Part;
import dev.millrace.dash.Addressing.SegmentBase;
import dev.millrace.dash.Addressing.SegmentList;
import dev.millrace.dash.Addressing.SegmentTemplate;
import java.util.List;
import java.util.Optional;

/** Where the initialization segment of a representation is (ISO/IEC 23009-1 §5.3.9.2). */
final class InitializationPart {
  private InitializationPart() {}

  /**
   * Empty if segments initialize themselves. A file with an index and without {@code
   * Initialization} begins with it: it is what stands before the index, or before the media.
   *
   * @param index of a {@link SegmentBase}; may be empty
   */
  static Optional<Part> of(Addressing addressing, List<IndexEntry> index) {
    if (addressing instanceof SegmentTemplate template) {
      return template.initialization();
    }
    if (addressing instanceof SegmentList list) {
      return list.initialization();
    }
    if (addressing instanceof SegmentBase base) {
      return base.initialization().or(() -> before(base, index));
    }
    throw new AssertionError(addressing);
  }

  private static Optional<Part> before(SegmentBase base, List<IndexEntry> index) {
    return base.indexRange()
        .map(range -> range.substring(0, Math.max(0, range.indexOf('-'))))
        .flatMap(InitializationPart::number)
        .or(() -> index.stream().map(IndexEntry::firstByte).findFirst())
        .filter(first -> first > 0)
        .map(first -> new Part(base.file(), Optional.of("0-" + (first - 1))));
  }

  private static Optional<Long> number(String digits) {
    try {
      return Optional.of(Long.parseLong(digits));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
