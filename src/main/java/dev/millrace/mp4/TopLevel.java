package dev.millrace.mp4;

import dev.millrace.stream.MediaFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What stands at the beginning of a file (ISO/IEC 14496-12 §4.2): its outermost boxes. */
public final class TopLevel {
  private static final int MOOV = FourCc.of("moov");

  private TopLevel() {}

  /**
   * The whole boxes of an initialization segment, one {@code moov} at least. What is behind the
   * first {@code moov} may break off: a range of bytes can reach into the media.
   *
   * @throws MediaFormatException if the bytes are no boxes, or none is a {@code moov}, or a {@code
   *     moov} has no size
   */
  public static List<Box> boxes(byte[] bytes) throws MediaFormatException {
    List<Box> boxes = new ArrayList<>();
    boolean hasMovie = false;
    int at = 0;
    while (bytes.length - at >= 8) {
      Optional<Box> next = next(bytes, at, hasMovie);
      if (next.isEmpty()) {
        return boxes;
      }
      boxes.add(next.get());
      hasMovie |= next.get().type() == MOOV;
      at = next.get().end();
    }
    if (!hasMovie) {
      throw MediaFormatException.malformed("No movie box ('moov') is in it.");
    }
    return boxes;
  }

  private static Optional<Box> next(byte[] bytes, int at, boolean mayBreakOff)
      throws MediaFormatException {
    Box box;
    try {
      box = Box.at(bytes, at, bytes.length);
    } catch (MediaFormatException e) {
      if (mayBreakOff) {
        return Optional.empty();
      }
      throw e;
    }
    boolean hasNoSize = (bytes[at] | bytes[at + 1] | bytes[at + 2] | bytes[at + 3]) == 0;
    if (hasNoSize && box.type() == MOOV) {
      throw MediaFormatException.malformed("Box 'moov' does not say how long it is.");
    }
    return Optional.of(box);
  }
}
