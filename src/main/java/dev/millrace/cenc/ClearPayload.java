package dev.millrace.cenc;

import dev.millrace.stream.MediaFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The way of the bytes: what is ready goes out, what is in an mdat is decrypted as the plans of the
 * fragments say. While what says so is missing, everything is held.
 */
final class ClearPayload implements HeldBytes.Release {
  private final PayloadDecryptor decryptor;
  private final PlannedRanges planned = new PlannedRanges();

  private OutputPieces out = new OutputPieces(output -> {}, 0);
  private Optional<HeldBytes> held = Optional.empty();
  private @Nullable FragmentPlan awaiting;
  private boolean isPlain = true;
  private long followedEnd = -1;
  private long rangeCount;

  ClearPayload(PayloadDecryptor decryptor) {
    this.decryptor = decryptor;
  }

  /** Where output goes from now on. */
  void into(OutputPieces pieces) {
    out = pieces;
  }

  /** Whether bytes wait for what says how they are encrypted. */
  boolean isHolding() {
    return held.isPresent();
  }

  /** Room that is taken by them, and by what is planned. */
  long heldBytes() {
    return held.map(HeldBytes::room).orElse(0) + planned.heldBytes();
  }

  /** Whether records of the last fragment are still to come. */
  boolean isAwaiting() {
    return awaiting != null;
  }

  /** From now on nothing goes out, until a plan comes. */
  void hold() {
    held = Optional.of(held.orElseGet(() -> new HeldBytes(CencDecryptor.MAX_LATE_BYTES)));
  }

  /**
   * What the samples of a fragment need; what was held for it goes out.
   *
   * @param moofPosition where the moof begins
   */
  void plan(FragmentPlan plan, long moofPosition) throws IOException {
    if (awaiting != null) {
      throw neverCame();
    }
    if (plan.isAwaiting()) {
      if (isHolding()) {
        throw neverCame();
      }
      awaiting = plan;
      return;
    }
    long reachable = moofPosition;
    if (held.isPresent()) {
      reachable = Math.min(reachable, held.get().firstPayload());
    }
    ProtectedRanges ranges = plan.ranges();
    if (ranges.count() > 0 && ranges.start(0) < reachable) {
      throw MediaFormatException.unsupported(
          "Encrypted samples stand before the moof that describes them (at byte "
              + moofPosition
              + "), and have passed.");
    }
    planned.add(ranges, reachable);
    rangeCount += ranges.count();
    release();
  }

  /** Nothing says more about what was held: it goes out as it is. */
  void release() throws IOException {
    Optional<HeldBytes> released = held;
    held = Optional.empty();
    if (released.isPresent()) {
      released.get().release(this);
    }
  }

  @Override
  public void ready(ByteBuffer bytes) throws IOException {
    if (held.isPresent()) {
      held.get().ready(bytes);
    } else {
      out.pass(bytes);
    }
  }

  /** As many zeros, ready. */
  void zeros(int length) throws IOException {
    if (held.isPresent()) {
      held.get().ready(ByteBuffer.allocate(length));
    } else {
      out.zeros(length);
    }
  }

  /**
   * Content of an mdat.
   *
   * @param boxEnd where it ends
   */
  void payload(long position, long boxEnd, ByteBuffer part) throws IOException {
    FragmentPlan plan = awaiting;
    if (plan != null) {
      await(plan, position, boxEnd, part);
    } else if (held.isPresent()) {
      held.get().payload(position, boxEnd, part);
    } else {
      decrypt(position, boxEnd, part);
    }
  }

  /** An mdat is over; what follows is another. */
  void endPayload() {
    followedEnd = -1;
  }

  /** How many ranges all plans had. */
  long rangeCount() {
    return rangeCount;
  }

  /** Whether a block or a record is not whole. */
  boolean isUnfinished() {
    return decryptor.held() > 0 || awaiting != null;
  }

  private void decrypt(long position, long boxEnd, ByteBuffer part) throws IOException {
    follow(position, boxEnd);
    if (isPlain) {
      out.pass(part);
    } else if (part.hasArray()) {
      out.decrypt(
          decryptor,
          position,
          part.array(),
          part.arrayOffset() + part.position(),
          part.remaining());
    } else {
      byte[] piece = new byte[Math.min(part.remaining(), OutputPieces.PIECE_BYTES)];
      for (long at = position; part.hasRemaining(); ) {
        int length = Math.min(part.remaining(), piece.length);
        part.get(piece, 0, length);
        out.decrypt(decryptor, at, piece, 0, length);
        at += length;
      }
    }
  }

  @Override
  public void payload(long position, long boxEnd, byte[] bytes, int offset, int length)
      throws IOException {
    decrypt(position, boxEnd, ByteBuffer.wrap(bytes, offset, length));
  }

  /** The plan of this mdat, once. */
  private void follow(long position, long boxEnd) throws MediaFormatException {
    if (followedEnd == boxEnd) {
      return;
    }
    followedEnd = boxEnd;
    ProtectedRanges ranges = planned.within(position, boxEnd);
    isPlain = ranges.count() == 0;
    if (!isPlain) {
      decryptor.follow(ranges);
    }
  }

  /** Records are taken as they pass; samples wait for them. */
  private void await(FragmentPlan plan, long position, long boxEnd, ByteBuffer part)
      throws IOException {
    byte[] bytes = new byte[part.remaining()];
    part.get(bytes);
    plan.take(position, bytes, 0, bytes.length);
    int before = (int) Math.max(0, Math.min(bytes.length, plan.firstSample() - position));
    if (isHolding()) {
      before = 0;
    }
    out.put(bytes, 0, before);
    if (before < bytes.length) {
      hold();
      held.orElseThrow()
          .payload(
              position + before, boxEnd, ByteBuffer.wrap(bytes, before, bytes.length - before));
    }
    if (!plan.isAwaiting()) {
      awaiting = null;
      ProtectedRanges ranges = plan.ranges();
      rangeCount += ranges.count();
      planned.add(ranges, position);
      release();
    }
  }

  private static MediaFormatException neverCame() {
    return MediaFormatException.unsupported(
        "What says how samples are encrypted (saio) is not in their fragment nor behind it.");
  }
}
