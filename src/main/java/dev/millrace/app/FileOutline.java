package dev.millrace.app;

import dev.millrace.mp4.Box;
import dev.millrace.mp4.FourCc;
import dev.millrace.mp4.InitSegment;
import dev.millrace.mp4.InitSegmentReader;
import dev.millrace.mp4.SampleEntry;
import dev.millrace.mp4.SampleEntryReader;
import dev.millrace.mp4.SampleProtection;
import dev.millrace.mp4.Track;
import dev.millrace.mp4.TrackEncryption;
import dev.millrace.stream.MediaFormatException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The boxes of an MP4 file as a tree (ISO/IEC 14496-12 §4.2), and its tracks. Holds one {@code
 * moov} or {@code moof} at a time; of other boxes it reads the header only, however long they are.
 */
final class FileOutline {
  /** Longer ones are not opened. */
  static final int MAX_OPENED = 32 << 20;

  private static final int LONGEST_HEADER = 16;
  private static final int MOOV = FourCc.of("moov");
  private static final int MOOF = FourCc.of("moof");
  private static final int STSD = FourCc.of("stsd");
  private static final Set<Integer> CONTAINERS =
      Set.of(
          MOOV,
          MOOF,
          FourCc.of("trak"),
          FourCc.of("edts"),
          FourCc.of("mdia"),
          FourCc.of("minf"),
          FourCc.of("dinf"),
          FourCc.of("stbl"),
          FourCc.of("mvex"),
          FourCc.of("traf"),
          FourCc.of("sinf"),
          FourCc.of("schi"));

  private final FileChannel file;
  private final PrintStream out;
  private InitSegment init = InitSegment.EMPTY;

  FileOutline(FileChannel file, PrintStream out) {
    this.file = file;
    this.out = out;
  }

  /**
   * Prints it all, box by box as they are read.
   *
   * @throws MediaFormatException if the file contradicts its format, or breaks off
   */
  void print() throws IOException {
    long length = file.size();
    long at = 0;
    while (at < length) {
      at = printTopLevel(at, length);
    }
    for (Track track : init.tracks()) {
      print(track);
    }
  }

  /** Gives the position behind it. */
  private long printTopLevel(long at, long length) throws IOException {
    ByteBuffer header = read(at, (int) Math.min(LONGEST_HEADER, length - at));
    if (header.remaining() < 8) {
      throw MediaFormatException.truncated("The file ends in the header of a box at " + at + ".");
    }
    long size = header.getInt() & 0xffff_ffffL;
    int type = header.getInt();
    boolean isLarge = size == 1 && header.hasRemaining();
    if (isLarge) {
      size = header.remaining() == 8 ? header.getLong() : 0;
    } else if (size == 0) {
      size = length - at;
    }
    if (size < (isLarge ? 16 : 8)) {
      throw MediaFormatException.malformed("No box begins at " + at + ".");
    }
    if (size <= MAX_OPENED && size <= length - at && (type == MOOV || type == MOOF)) {
      open(at, (int) size);
    } else {
      line(0, type, at, size);
    }
    if (size > length - at) {
      throw MediaFormatException.truncated(
          "The file ends %d bytes before its last box does.".formatted(size - (length - at)));
    }
    return at + size;
  }

  private void open(long at, int size) throws IOException {
    Box box = Box.at(read(at, size).array(), 0, size);
    print(box, at, 0);
    if (box.type() == MOOV) {
      init = InitSegmentReader.read(box);
    }
  }

  /**
   * @param base position of the first byte of the array
   */
  private void print(Box box, long base, int depth) throws MediaFormatException {
    if (depth > Box.MAX_DEPTH) {
      throw MediaFormatException.malformed("Boxes are nested deeper than " + Box.MAX_DEPTH + ".");
    }
    line(depth, box.type(), base + box.start(), box.end() - box.start());
    for (Box child : children(box)) {
      print(child, base, depth + 1);
    }
  }

  private static List<Box> children(Box box) throws MediaFormatException {
    if (CONTAINERS.contains(box.type())) {
      return box.children();
    }
    if (box.type() == STSD) {
      return box.children(box.checked(8, 0));
    }
    boolean isProtected = SampleEntryReader.isProtected(box.type());
    return isProtected ? SampleEntryReader.protections(box) : List.of();
  }

  private ByteBuffer read(long at, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      if (file.read(bytes, at + bytes.position()) < 0) {
        throw MediaFormatException.truncated("The file became shorter while it was read.");
      }
    }
    return bytes.flip();
  }

  private void line(int depth, int type, long at, long size) {
    out.printf("%-32s %16d %16d%n", "  ".repeat(depth) + FourCc.text(type), at, size);
  }

  private void print(Track track) {
    out.printf(
        "track %d: %s, %d units per second%n",
        track.id(), FourCc.text(track.handler()), track.timescale());
    for (SampleEntry entry : track.entries()) {
      out.println("  " + FourCc.text(entry.format()) + protection(entry.encryption()));
    }
  }

  private static String protection(Optional<TrackEncryption> encryption) {
    if (encryption.isEmpty()) {
      return ", clear";
    }
    int scheme = encryption.get().scheme();
    SampleProtection protection = encryption.get().protection();
    StringBuilder text = new StringBuilder(", ");
    text.append(scheme == 0 ? "no scheme" : FourCc.text(scheme));
    text.append(", key id ").append(HexFormat.of().formatHex(protection.kid()));
    if (!protection.isProtected()) {
      return text.append(", clear unless groups say otherwise").toString();
    }
    text.append(protection.ivSize() == 0 ? ", constant IV" : ", IV of " + protection.ivSize());
    if (protection.skipBlocks() > 0) {
      text.append(", pattern ").append(protection.cryptBlocks());
      text.append(':').append(protection.skipBlocks());
    }
    return text.toString();
  }
}
