package dev.millrace.mp4;

import dev.millrace.mp4.SegmentIndex.Reference;
import dev.millrace.stream.MediaFormatException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Follows the segment index of a file ({@code sidx}, ISO/IEC 14496-12 §8.16.3) through all its
 * levels, and says which bytes it needs for that:
 *
 * <pre>{@code
 * SegmentIndexReader reader = new SegmentIndexReader(0, 65_535);
 * while (reader.wanted().isPresent()) {
 *   ByteSpan span = reader.wanted().get();
 *   reader.accept(span.first(), fetch(span)); // may be shorter or longer
 * }
 * reader.references();
 * }</pre>
 *
 * Boxes in front of the first index are passed over; of several there the first counts. Confined to
 * one caller.
 */
public final class SegmentIndexReader {
  /** More references, those to indexes counted, are refused. */
  public static final int MAX_REFERENCES = 1 << 16;

  /** Deeper levels are refused. */
  public static final int MAX_DEPTH = 4;

  /** If it takes more reads than this it is refused. */
  public static final int MAX_READS = 256;

  /** What is read of an index in the hope that it is all. */
  private static final int FIRST_READ = 16 * 1024;

  private static final int MOOF = FourCc.of("moof");
  private static final int MDAT = FourCc.of("mdat");

  private final List<MediaReference> references = new ArrayList<>();
  private final Deque<Step> steps = new ArrayDeque<>();
  private Optional<ByteSpan> wanted;
  private byte[] window = {};
  private long windowStart;
  private long searched;
  private boolean isFound;
  private int counted;
  private int reads;

  /**
   * Knows nothing yet.
   *
   * @param firstByte where the index, or boxes in front of it, begin
   * @param lastByte of what is to be read first
   */
  public SegmentIndexReader(long firstByte, long lastByte) {
    wanted = Optional.of(new ByteSpan(firstByte, lastByte));
    searched = firstByte;
  }

  /** What it has to see next; absent when it has seen all. */
  public Optional<ByteSpan> wanted() {
    return wanted;
  }

  /** The subsegments of media, in the order of the file's time; complete if nothing is wanted. */
  public List<MediaReference> references() {
    return List.copyOf(references);
  }

  /**
   * Takes bytes of the file.
   *
   * @param position of the first of them, that of what is wanted
   * @param bytes kept until the next; fewer than wanted only if the file ends there
   * @throws MediaFormatException if there is no index, or it is malformed or breaks off, or a limit
   *     is reached
   */
  public void accept(long position, byte[] bytes) throws MediaFormatException {
    ByteSpan asked = wanted.orElseThrow();
    if (position != asked.first()) {
      throw new IllegalArgumentException("position: " + position + " (expected: what is wanted)");
    }
    window = bytes;
    windowStart = position;
    Optional<ByteSpan> next = search();
    wanted = next.isPresent() ? next : follow();
    if (wanted.isEmpty()) {
      return;
    }
    boolean isAtEnd =
        bytes.length < asked.length() && wanted.get().last() >= position + bytes.length;
    if (isAtEnd || wanted.get().equals(asked)) {
      throw MediaFormatException.truncated("The file ends before its segment index ('sidx') does.");
    }
    if (++reads == MAX_READS) {
      throw MediaFormatException.malformed("The segment index takes more reads than " + MAX_READS);
    }
  }

  /** Passes over boxes up to the first index; what has to be seen for that. */
  private Optional<ByteSpan> search() throws MediaFormatException {
    while (!isFound) {
      Optional<Head> head = headAt(searched);
      if (head.isEmpty()) {
        return Optional.of(new ByteSpan(searched, searched + FIRST_READ - 1));
      }
      int type = head.get().type();
      if (type == SegmentIndex.SIDX) {
        isFound = true;
        MediaReference place = new MediaReference(searched, searched, 0, 0, 1);
        steps.push(new Step(new Reference(true, place), 1));
      } else if (type == MOOF || type == MDAT || head.get().isEndless()) {
        throw MediaFormatException.malformed("No segment index ('sidx') is before the media.");
      } else {
        searched = searched + head.get().size();
      }
    }
    return Optional.empty();
  }

  /** Goes through the references, as far as the window has the indexes among them. */
  private Optional<ByteSpan> follow() throws MediaFormatException {
    while (!steps.isEmpty()) {
      Step step = steps.peek();
      long first = step.reference().place().firstByte();
      if (step.reference().isIndex()) {
        Optional<ByteSpan> missing = missing(first);
        if (missing.isPresent()) {
          return missing;
        }
        steps.pop();
        open(first, step.level());
      } else {
        steps.pop();
        if (!step.reference().isEmpty()) {
          references.add(step.reference().place());
        }
      }
    }
    return Optional.empty();
  }

  /** What the window lacks of an index. */
  private Optional<ByteSpan> missing(long position) throws MediaFormatException {
    Optional<Head> head = headAt(position);
    if (head.isEmpty()) {
      return Optional.of(new ByteSpan(position, position + FIRST_READ - 1));
    }
    boolean hasLength = !head.get().isEndless() && head.get().size() <= SegmentIndex.MAX_BYTES;
    if (head.get().type() != SegmentIndex.SIDX || !hasLength) {
      throw MediaFormatException.malformed("A segment index leads to what is none.");
    }
    long end = position + head.get().size();
    return end <= windowStart + window.length
        ? Optional.empty()
        : Optional.of(new ByteSpan(position, end - 1));
  }

  /** Puts the references of an index, which is in the window, before all others. */
  private void open(long position, int level) throws MediaFormatException {
    if (level > MAX_DEPTH) {
      throw MediaFormatException.malformed("Segment indexes are deeper than " + MAX_DEPTH + ".");
    }
    Box sidx = Box.at(window, (int) (position - windowStart), window.length);
    List<Reference> found = SegmentIndex.read(sidx, position).references();
    counted += found.size();
    if (counted > MAX_REFERENCES) {
      throw MediaFormatException.malformed("The segment index has more than 65,536 references.");
    }
    for (int i = found.size() - 1; i >= 0; i--) {
      steps.push(new Step(found.get(i), level + 1));
    }
  }

  /** Absent if it is not in the window. */
  private Optional<Head> headAt(long position) throws MediaFormatException {
    long at = position - windowStart;
    if (at < 0 || window.length - at < 8) {
      return Optional.empty();
    }
    ByteBuffer bytes = ByteBuffer.wrap(window, (int) at, (int) (window.length - at));
    long size = bytes.getInt() & 0xffff_ffffL;
    int type = bytes.getInt();
    if (size == 1 && bytes.remaining() < 8) {
      return Optional.empty();
    }
    boolean isLarge = size == 1;
    size = isLarge ? bytes.getLong() : size;
    boolean isTooShort = size < (isLarge ? 16 : 8) && (isLarge || size != 0);
    if (isTooShort || position > Long.MAX_VALUE - FIRST_READ - size) {
      throw MediaFormatException.malformed(
          "Box '" + FourCc.text(type) + "' in front of the media has no size that can be.");
    }
    return Optional.of(new Head(type, size));
  }

  /**
   * @param size 0: to the end
   */
  private record Head(int type, long size) {
    boolean isEndless() {
      return size == 0;
    }
  }

  /**
   * @param level of the index that it leads to; 1 for the first
   */
  private record Step(Reference reference, int level) {}
}
