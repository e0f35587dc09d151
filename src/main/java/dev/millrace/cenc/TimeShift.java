package dev.millrace.cenc;

import dev.millrace.mp4.Box;
import dev.millrace.mp4.FourCc;
import dev.millrace.mp4.InitSegment;
import dev.millrace.mp4.Track;
import dev.millrace.stream.MediaFormatException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Moves a stream on its clock by a constant: {@code tfdt} (ISO/IEC 14496-12 §8.8.12) and the
 * earliest time of {@code sidx} (§8.16.3). Sizes stay. What would begin before zero begins at zero.
 */
final class TimeShift {
  /** What {@link #sidx} needs of a box, at most. */
  static final int SIDX_BYTES = 40;

  private static final int TRAF = FourCc.of("traf");
  private static final int TFHD = FourCc.of("tfhd");
  private static final int TFDT = FourCc.of("tfdt");
  private static final long MAX_INT = 0xffff_ffffL;

  private final DecryptionOptions.Shift shift;

  TimeShift(DecryptionOptions.Shift shift) {
    this.shift = shift;
  }

  /** Changes the decode times of all tracks that are known. */
  void moof(Box moof, InitSegment init) throws MediaFormatException {
    for (Box child : moof.children()) {
      if (child.type() == TRAF) {
        traf(child, init);
      }
    }
  }

  private void traf(Box traf, InitSegment init) throws MediaFormatException {
    Optional<Box> header = traf.child(TFHD);
    Optional<Box> time = traf.child(TFDT);
    if (header.isPresent() && time.isPresent()) {
      Optional<Track> track = init.track(header.get().unsignedAt(4));
      if (track.isPresent()) {
        Box tfdt = time.get();
        shift(tfdt, 4, tfdt.version() != 0, track.get().timescale());
      }
    }
  }

  /**
   * @param bytes the first of a {@code sidx}, its header included
   */
  void sidx(byte[] bytes, int headerLength, int length) throws MediaFormatException {
    Box box = new Box(bytes, FourCc.of("sidx"), 0, headerLength, length);
    long timescale = box.unsignedAt(8);
    if (timescale == 0) {
      throw MediaFormatException.malformed("The time scale of a sidx is 0.");
    }
    shift(box, 12, box.version() != 0, timescale);
  }

  private void shift(Box box, int offset, boolean isLong, long timescale)
      throws MediaFormatException {
    long time = isLong ? box.longAt(offset) : box.unsignedAt(offset);
    long shifted;
    try {
      shifted = Math.max(0, Math.addExact(time, shift.in(timescale)));
    } catch (ArithmeticException e) {
      throw tooLate(box);
    }
    if (!isLong && shifted > MAX_INT) {
      throw tooLate(box);
    }
    ByteBuffer bytes = ByteBuffer.wrap(box.bytes());
    if (isLong) {
      bytes.putLong(box.contentStart() + offset, shifted);
    } else {
      bytes.putInt(box.contentStart() + offset, (int) shifted);
    }
  }

  private static MediaFormatException tooLate(Box box) {
    return MediaFormatException.unsupported(
        "The shifted time of '"
            + FourCc.text(box.type())
            + "' does not fit its field (parameter shift).");
  }
}
