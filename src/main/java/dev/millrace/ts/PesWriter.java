package dev.millrace.ts;

import dev.millrace.stream.ByteSink;
import dev.millrace.ts.FragmentSamples.Sample;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts samples into PES packets (ISO/IEC 13818-1 §2.4.3.6) on one clock of 90 kHz: a picture into
 * one, some frames of sound into one.
 */
final class PesWriter {
  /** What all times of all streams are later than in the media. */
  static final long LEAD = 90_000;

  /** What decoding times are earlier where composition offsets are signed. */
  private static final long REORDER = 45_000;

  /** How long before a unit is decoded its bytes have come, by the clock. */
  private static final long CLOCK_LEAD = 22_500;

  /** From one clock to the next (§2.7.2 allows 100 ms). */
  private static final long CLOCK_STEP = 7_200;

  /** A larger step is a break in time: the clock goes on there. */
  private static final long MAX_PAUSE = 20 * 90_000;

  private static final int SOUND_BYTES = 2_800;
  private static final int MAX_HEADER_BYTES = 19;

  private final PacketWriter packets = new PacketWriter();
  private final AccessUnit picture = new AccessUnit();
  private final Map<ElementaryStream, Sound> sounds = new HashMap<>();
  private List<ElementaryStream> streams = List.of();
  private boolean hasTables;
  private long lastClock = PacketWriter.NO_CLOCK;

  /** Frames of sound that wait for more. */
  private static final class Sound {
    private final AccessUnit frames = new AccessUnit();
    private long time;
  }

  /** What the tables will say; before {@link #begin}. */
  void streams(List<ElementaryStream> known) {
    streams = List.copyOf(known);
  }

  /** Writes the tables, once. */
  void begin(ByteSink out) throws IOException {
    if (!hasTables) {
      hasTables = true;
      packets.section(0, ProgramTables.association(), out);
      packets.section(ProgramTables.PMT_PID, ProgramTables.map(streams, clockStream().pid()), out);
    }
  }

  private ElementaryStream clockStream() {
    return streams.stream()
        .filter(stream -> stream.codec().isVideo())
        .findFirst()
        .orElse(streams.get(0));
  }

  /** A whole sample. */
  void sample(Sample sample, byte[] bytes, int length, ByteSink out) throws IOException {
    ElementaryStream stream = sample.stream();
    long timescale = stream.track().timescale();
    long decode = ticks(sample.decodeTime(), timescale) + LEAD;
    long shown = ticks(sample.decodeTime() + sample.compositionOffset(), timescale) + LEAD;
    if (!stream.codec().isVideo()) {
      sound(stream, shown, bytes, length, out);
      return;
    }
    long earlier = sample.isSigned() ? decode - REORDER : decode;
    picture.clear();
    header(picture, stream, shown, Math.min(earlier, shown), 0);
    stream.codec().framing().write(bytes, length, picture);
    write(stream, picture, sample.isEntry(), Math.min(earlier, shown), out);
  }

  private void sound(ElementaryStream stream, long time, byte[] bytes, int length, ByteSink out)
      throws IOException {
    Sound sound = sounds.computeIfAbsent(stream, none -> new Sound());
    if (sound.frames.length() == 0) {
      sound.time = time;
    }
    stream.codec().framing().write(bytes, length, sound.frames);
    if (sound.frames.length() >= SOUND_BYTES) {
      write(stream, sound, out);
    }
  }

  private void write(ElementaryStream stream, Sound sound, ByteSink out) throws IOException {
    picture.clear();
    header(picture, stream, sound.time, sound.time, sound.frames.length());
    picture.put(sound.frames.bytes(), 0, sound.frames.length());
    sound.frames.clear();
    write(stream, picture, true, sound.time, out);
  }

  private void write(
      ElementaryStream stream, AccessUnit pes, boolean isEntry, long decode, ByteSink out)
      throws IOException {
    long clock = PacketWriter.NO_CLOCK;
    if (stream.equals(clockStream())) {
      clock = decode - CLOCK_LEAD;
      fillPause(stream, clock, out);
      lastClock = clock;
    }
    packets.pes(stream, pes, isEntry, clock, out);
  }

  private void fillPause(ElementaryStream stream, long next, ByteSink out) throws IOException {
    if (lastClock == PacketWriter.NO_CLOCK || next - lastClock > MAX_PAUSE) {
      return;
    }
    for (long at = lastClock + CLOCK_STEP; at < next; at += CLOCK_STEP) {
      packets.clock(stream, stream.lastContinuity(), at, out);
    }
  }

  /**
   * Begins a PES packet.
   *
   * @param length of what follows; 0: not said, for pictures
   */
  private static void header(
      AccessUnit pes, ElementaryStream stream, long shown, long decode, int length) {
    boolean hasBoth = shown != decode;
    int times = hasBoth ? 10 : 5;
    int size = length == 0 ? 0 : 3 + times + length;
    pes.u16(0).u8(1).u8(stream.codec().streamId()).u16(size > 0xffff ? 0 : size);
    pes.u8(0x84).u8(hasBoth ? 0xc0 : 0x80).u8(times);
    time(pes, hasBoth ? 3 : 2, shown);
    if (hasBoth) {
      time(pes, 1, decode);
    }
  }

  private static void time(AccessUnit pes, int prefix, long ticks) {
    pes.u8((prefix << 4) | ((int) (ticks >> 29) & 0x0e) | 1);
    pes.u16(((int) (ticks >> 14) & 0xfffe) | 1);
    pes.u16(((int) (ticks << 1) & 0xfffe) | 1);
  }

  /** No sample of this fragment is left: what waits does not wait for another one. */
  void endOfFragment(ByteSink out) throws IOException {
    for (ElementaryStream stream : streams) {
      Sound sound = sounds.get(stream);
      if (sound != null && sound.frames.length() > 0) {
        write(stream, sound, out);
      }
    }
  }

  /** Puts all packets that are written. */
  void flush(ByteSink out) throws IOException {
    packets.flush(out);
  }

  /** The end. */
  void finish(ByteSink out) throws IOException {
    endOfFragment(out);
    flush(out);
  }

  long heldBytes() {
    return 2L * picture.capacity() + MAX_HEADER_BYTES;
  }

  /** Of media time, rounded down. */
  private static long ticks(long units, long timescale) {
    long seconds = Math.floorDiv(units, timescale);
    return seconds * 90_000 + Math.floorMod(units, timescale) * 90_000 / timescale;
  }
}
