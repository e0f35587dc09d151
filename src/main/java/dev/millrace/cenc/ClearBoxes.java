package dev.millrace.cenc;

import dev.millrace.mp4.Box;
import dev.millrace.mp4.BoxHeader;
import dev.millrace.mp4.BoxSplitter;
import dev.millrace.mp4.FourCc;
import dev.millrace.mp4.InitSegment;
import dev.millrace.mp4.InitSegmentReader;
import dev.millrace.mp4.MovieFragment;
import dev.millrace.stream.MediaFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * What becomes of each box of the top level (contract §4.2, §4.3, §4.7): moov and moof are read and
 * edited as a whole, mdat is payload, everything else passes.
 */
final class ClearBoxes implements BoxSplitter.Boxes {
  private static final int FREE = FourCc.of("free");
  private static final int PSSH = FourCc.of("pssh");
  private static final int FTYP = FourCc.of("ftyp");
  private static final int MOOV = FourCc.of("moov");
  private static final int MOOF = FourCc.of("moof");
  private static final int MDAT = FourCc.of("mdat");
  private static final int SIDX = FourCc.of("sidx");

  /** With what a stream of boxes begins. */
  private static final Set<Integer> FIRST =
      Set.of(
          FTYP,
          MOOV,
          MOOF,
          MDAT,
          SIDX,
          PSSH,
          FREE,
          FourCc.of("styp"),
          FourCc.of("ssix"),
          FourCc.of("emsg"),
          FourCc.of("prft"),
          FourCc.of("skip"),
          FourCc.of("wide"),
          FourCc.of("pdin"),
          FourCc.of("uuid"),
          FourCc.of("meta"),
          FourCc.of("udta"),
          FourCc.of("mfra"));

  private final DecryptionOptions options;
  private final Optional<TimeShift> shift;
  private final ClearPayload payload;
  private final CencDecryptor.Room room;
  private InitSegment init;
  private DecryptionTally tally = DecryptionTally.NONE;

  private boolean hasMovie;
  private boolean hasFragment;
  private boolean hasWholeFragment;
  private boolean isDataFirst;
  private boolean isDataDue;
  private boolean isEndless;
  private long plannedEnd;

  ClearBoxes(
      DecryptionOptions options, InitSegment init, ClearPayload payload, CencDecryptor.Room room) {
    this.room = room;
    this.options = options;
    this.shift = options.shift().map(TimeShift::new);
    this.payload = payload;
    this.init = init;
  }

  DecryptionTally tally() {
    return tally.withRanges(payload.rangeCount());
  }

  @Override
  public int begin(BoxHeader header, byte[] head) throws IOException {
    if (tally.boxes() == 0 && !FIRST.contains(header.type())) {
      return refuseOther(head);
    }
    tally = tally.withBox();
    boolean isRead = isDecrypting() || shift.isPresent();
    if (header.type() == MOOV && (isRead || options.isInitHidden())) {
      return whole(header, CencDecryptor.MAX_MOOV_BYTES);
    }
    if (header.type() == MOOF && isRead) {
      return whole(header, CencDecryptor.MAX_MOOF_BYTES);
    }
    if (header.type() == SIDX && shift.isPresent()) {
      return (int) Math.min(header.size(), TimeShift.SIDX_BYTES);
    }
    return header.headerLength();
  }

  private boolean isDecrypting() {
    return !options.keys().isEmpty();
  }

  private int refuseOther(byte[] head) throws MediaFormatException {
    if (!isDecrypting()) {
      return BoxSplitter.NO_BOX;
    }
    boolean isMatroska = ByteBuffer.wrap(head).getInt() == 0x1A45DFA3;
    throw MediaFormatException.unsupported(
        isMatroska
            ? "Encrypted WebM is not supported (expected: MP4)."
            : "This is no MP4, so nothing of it can be decrypted.");
  }

  private static int whole(BoxHeader header, int limit) throws MediaFormatException {
    if (header.isEndless() || header.size() > limit) {
      throw MediaFormatException.malformed(
          "Box '"
              + FourCc.text(header.type())
              + "' has "
              + (header.isEndless() ? "no end" : header.size() + " bytes")
              + " (at most "
              + limit
              + ").");
    }
    return (int) header.size();
  }

  @Override
  public void collected(BoxHeader header, byte[] bytes, int length) throws IOException {
    int type = header.type();
    byte[] out = bytes;
    if (isBlank(type)) {
      if (type == MOOV) {
        read(bytes, length);
        Arrays.fill(bytes, header.headerLength(), length, (byte) 0);
      }
      ByteBuffer.wrap(bytes).putInt(4, FREE);
    } else if (type == MOOV && length > header.headerLength()) {
      out = moov(bytes, length);
    } else if (type == MOOF && length > header.headerLength()) {
      out = moof(header, bytes, length);
    } else if (type == SIDX && shift.isPresent()) {
      shift.get().sidx(bytes, header.headerLength(), length);
    }
    payload.ready(ByteBuffer.wrap(out, 0, length));
    if (type == MDAT) {
      beginData(header);
    }
  }

  /** What the player has, or has no use for, becomes {@code free}. */
  private boolean isBlank(int type) {
    return (options.isInitHidden() && (type == MOOV || type == FTYP))
        || (type == PSSH && isDecrypting());
  }

  private Box read(byte[] bytes, int length) throws IOException {
    Box moov = Box.at(bytes, 0, length);
    init = InitSegmentReader.read(moov);
    hasMovie = true;
    if (!init.isProtected()) {
      payload.release(); // of a film whose movie stands at its end
    }
    return moov;
  }

  /** Gives the edited bytes. */
  private byte[] moov(byte[] bytes, int length) throws IOException {
    Box moov = read(bytes, length);
    if (!isDecrypting()) {
      return bytes;
    }
    if (options.isCompact()) {
      return InitSegmentCleaner.compact(moov);
    }
    InitSegmentCleaner.blank(moov);
    return bytes;
  }

  /** Gives the edited bytes. */
  private byte[] moof(BoxHeader header, byte[] bytes, int length) throws IOException {
    hasFragment = true;
    tally = tally.withFragment();
    Set<Integer> clearTracks = Set.of();
    if (isDecrypting()) {
      MovieFragment fragment = MovieFragment.read(Box.at(bytes, 0, length));
      room.reserve(length + payload.heldBytes() + FragmentPlan.mostBytes(fragment));
      FragmentPlan plan = FragmentPlan.of(options, init, fragment, header.position());
      clearTracks = plan.clearTracks();
      plannedEnd = Math.max(plannedEnd, plan.end());
      isDataDue = plan.end() > header.end();
      payload.plan(plan, header.position());
      tally = tally.withSamples(plan.samples()).withAnomalies(plan.anomalies());
    }
    // what a plan still needs of it stays as it is
    byte[] edited = payload.isAwaiting() ? Arrays.copyOf(bytes, length) : bytes;
    Box moof = Box.at(edited, 0, length);
    if (shift.isPresent()) {
      shift.get().moof(moof, init);
    }
    if (!isDecrypting()) {
      return edited;
    }
    BlankedBoxes blanked = FragmentCleaner.blank(moof, clearTracks);
    return options.isCompact() ? blanked.compacted(moof) : edited;
  }

  /**
   * Data whose moof comes behind it is held, and data of which nothing is known yet; whether a
   * stream is made so is seen at its first mdat.
   */
  private void beginData(BoxHeader header) {
    isDataDue = false;
    isEndless = header.isEndless();
    isDataFirst |= !hasFragment;
    boolean isKnown = header.position() < plannedEnd;
    boolean mayBeProtected = init.isProtected() || init.tracks().isEmpty();
    if (isDataFirst && !isKnown && isDecrypting() && mayBeProtected) {
      payload.hold();
    }
  }

  @Override
  public void content(BoxHeader header, long position, ByteBuffer part) throws IOException {
    if (isBlank(header.type())) {
      payload.zeros(part.remaining());
    } else if (header.type() == MDAT) {
      payload.payload(position, header.end(), part);
    } else {
      payload.ready(part);
    }
  }

  @Override
  public void end(BoxHeader header) {
    if (header.type() == MDAT) {
      payload.endPayload();
      hasWholeFragment |= hasFragment;
    }
  }

  @Override
  public void broken(String what) throws IOException {
    if (!hasWholeFragment && isDecrypting()) {
      throw MediaFormatException.malformed(what);
    }
    tally = tally.withAnomalies(1);
  }

  @Override
  public void rest(long position, ByteBuffer part) throws IOException {
    payload.ready(part);
  }

  /** The stream has ended. */
  void finish(BoxSplitter splitter) throws IOException {
    byte[] unfinished = splitter.unfinishedHeader();
    boolean isPlain = !isDecrypting() && tally.boxes() == 0;
    boolean isRest = unfinished.length > 0 && (isPlain || isJunk(unfinished));
    boolean isCut = isDataDue || (isEndless && splitter.position() < plannedEnd);
    if ((!splitter.isWhole() && !isRest) || payload.isUnfinished() || isCut) {
      throw MediaFormatException.truncated(
          "The media ends at byte " + splitter.position() + ", before it is complete.");
    }
    if (isRest) {
      tally = tally.withAnomalies(1);
      payload.ready(ByteBuffer.wrap(unfinished));
    }
    if (payload.isHolding()) {
      throw MediaFormatException.unsupported("Encrypted samples without a moof that says how.");
    }
    if (isDecrypting() && !hasMovie && !hasFragment) {
      throw MediaFormatException.malformed("The media has neither moov nor moof.");
    }
  }

  /** What remains behind the last fragment, and cannot be the beginning of a box. */
  private boolean isJunk(byte[] unfinished) {
    if (!hasWholeFragment || unfinished.length >= 8) {
      return false;
    }
    int size = unfinished.length < 4 ? 0 : ByteBuffer.wrap(unfinished).getInt();
    return size >= 0 && size < 8 && size != 1;
  }
}
