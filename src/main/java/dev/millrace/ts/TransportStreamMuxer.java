package dev.millrace.ts;

import dev.millrace.mp4.Box;
import dev.millrace.mp4.BoxHeader;
import dev.millrace.mp4.BoxSplitter;
import dev.millrace.mp4.FourCc;
import dev.millrace.mp4.InitSegment;
import dev.millrace.mp4.InitSegmentReader;
import dev.millrace.mp4.MovieFragment;
import dev.millrace.mp4.Track;
import dev.millrace.stream.ByteSink;
import dev.millrace.stream.ByteTransform;
import dev.millrace.stream.MediaFormatException;
import dev.millrace.ts.FragmentSamples.Sample;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Clear fragments of ISO base media become an MPEG transport stream (ISO/IEC 13818-1) while they
 * pass: H.264, H.265, AAC, AC-3 and E-AC-3. A moov in the stream replaces what was known of the
 * tracks, until the first packet.
 *
 * <h2>Times</h2>
 *
 * Presentation times are those of the media on a clock of 90 kHz, and one second, the same for all
 * streams, so that pictures that are decoded early have a time too. Where composition offsets are
 * signed, decoding times are half a second earlier than the media says, and never behind the
 * presentation.
 *
 * <h2>What is held</h2>
 *
 * A moov or moof while it comes, about 100 bytes for each sample of a fragment, one sample ({@link
 * #MAX_SAMPLE_BYTES}) and the packets of it.
 */
public final class TransportStreamMuxer implements ByteTransform {
  /** A longer sample is refused. */
  public static final int MAX_SAMPLE_BYTES = 4 << 20;

  /** A longer moov or moof is refused. */
  public static final int MAX_BOX_BYTES = 8 << 20;

  /** Fragments whose samples have not all come; more are refused. */
  private static final int MAX_PENDING_SAMPLES = 2 * MovieFragment.MAX_SAMPLES;

  private static final int SAMPLE_BYTES = 100;
  private static final int MOOV = FourCc.of("moov");
  private static final int MOOF = FourCc.of("moof");
  private static final int MDAT = FourCc.of("mdat");
  private static final int VIDEO_PID = 0x100;
  private static final int AUDIO_PID = 0x101;
  private static final int MAX_STREAMS = 8;

  private final BoxSplitter splitter = new BoxSplitter(new Boxes(), 0);
  private final PesWriter writer = new PesWriter();
  private final Map<Long, ElementaryStream> streams = new HashMap<>();
  private final Map<Long, Long> ends = new HashMap<>();
  private final Deque<Sample> pending = new ArrayDeque<>();
  private byte[] sample = new byte[0];
  private int sampleBytes;
  private boolean hasFragment;
  private ByteSink out = buffer -> {};

  /**
   * For one stream.
   *
   * @param init what is known of the tracks before it begins, whose samples are clear by now
   *     whatever it says; may be empty
   * @throws MediaFormatException if a track's configuration contradicts itself
   */
  public TransportStreamMuxer(InitSegment init) throws MediaFormatException {
    know(init);
  }

  /** Of media that nobody has decrypted. */
  public static MediaFormatException encrypted() {
    return MediaFormatException.keyMissing(
        "The media is encrypted (expected: its key, in key_id and key).");
  }

  private void know(InitSegment init) throws MediaFormatException {
    List<ElementaryStream> known = new ArrayList<>();
    boolean hasVideo = false;
    int nextPid = AUDIO_PID;
    for (Track track : init.tracks()) {
      Optional<ElementaryStream> stream =
          ElementaryStream.of(track, hasVideo ? nextPid : VIDEO_PID, nextPid);
      if (stream.isPresent() && known.size() < MAX_STREAMS) {
        known.add(stream.get());
        hasVideo |= stream.get().pid() == VIDEO_PID;
        nextPid += stream.get().pid() == nextPid ? 1 : 0;
      }
    }
    streams.clear();
    known.forEach(stream -> streams.put(stream.track().id(), stream));
    writer.streams(known);
  }

  @Override
  public void accept(ByteBuffer input, ByteSink sink) throws IOException {
    out = sink;
    try {
      splitter.accept(input);
    } finally {
      writer.flush(sink); // what is whole goes out, also before a failure
    }
  }

  @Override
  public void finish(ByteSink sink) throws IOException {
    if (!splitter.isWhole() || !pending.isEmpty()) {
      throw MediaFormatException.truncated("The media ends in the middle of a sample or a box.");
    }
    if (!hasFragment) {
      throw MediaFormatException.malformed("The media has no fragment.");
    }
    writer.finish(sink);
  }

  @Override
  public void close() {}

  /** How much is held at the moment, in bytes. */
  public long heldBytes() {
    return splitter.heldBytes()
        + (long) pending.size() * SAMPLE_BYTES
        + sample.length
        + writer.heldBytes();
  }

  private final class Boxes implements BoxSplitter.Boxes {
    @Override
    public int begin(BoxHeader header, byte[] head) throws IOException {
      if (header.type() != MOOV && header.type() != MOOF) {
        return header.headerLength();
      }
      if (header.size() > MAX_BOX_BYTES) {
        throw MediaFormatException.malformed(
            "Box '" + FourCc.text(header.type()) + "' is longer than 8 MiB.");
      }
      return (int) header.size();
    }

    @Override
    public void collected(BoxHeader header, byte[] bytes, int length) throws IOException {
      if (header.type() == MOOV && !hasFragment) {
        InitSegment found = InitSegmentReader.read(Box.at(bytes, 0, length));
        if (found.isProtected()) {
          throw encrypted();
        }
        know(found);
      } else if (header.type() == MOOF) {
        plan(MovieFragment.read(Box.at(bytes, 0, length)), header.position());
      }
    }

    @Override
    public void content(BoxHeader header, long position, ByteBuffer part) throws IOException {
      if (header.type() == MDAT) {
        take(position, part);
      }
    }

    @Override
    public void end(BoxHeader header) {}

    @Override
    public void broken(String what) throws IOException {
      throw MediaFormatException.malformed(what);
    }

    @Override
    public void rest(long position, ByteBuffer part) {}
  }

  private void plan(MovieFragment fragment, long position) throws IOException {
    if (streams.isEmpty()) {
      throw MediaFormatException.unsupported(
          "No track has a codec of transport streams (expected: H.264, H.265, AAC, AC-3 or E-AC-3;"
              + " others play as segment.mp4).");
    }
    hasFragment = true;
    pending.addAll(FragmentSamples.of(fragment, position, streams, ends));
    if (pending.size() > MAX_PENDING_SAMPLES) {
      throw MediaFormatException.malformed("Too many samples are ahead of their data.");
    }
    writer.begin(out);
    skipEmpty();
  }

  private void skipEmpty() {
    while (!pending.isEmpty() && pending.peek().size() == 0) {
      pending.remove();
    }
  }

  private void take(long position, ByteBuffer part) throws IOException {
    long at = position;
    while (part.hasRemaining() && !pending.isEmpty()) {
      Sample next = pending.peek();
      if (next.start() < at - sampleBytes) {
        throw MediaFormatException.malformed("A sample stands before its fragment.");
      }
      int gap = (int) Math.min(part.remaining(), Math.max(0, next.start() - at));
      part.position(part.position() + gap);
      at += gap;
      int length = (int) Math.min(part.remaining(), next.size() - sampleBytes);
      gather(part, length, next);
      at += length;
      if (sampleBytes == next.size()) {
        writer.sample(next, sample, sampleBytes, out);
        sampleBytes = 0;
        pending.remove();
        skipEmpty();
        if (pending.isEmpty()) {
          writer.endOfFragment(out);
        }
      }
    }
  }

  private void gather(ByteBuffer part, int length, Sample of) throws MediaFormatException {
    if (of.size() > MAX_SAMPLE_BYTES) {
      throw MediaFormatException.malformed("A sample is longer than 4 MiB.");
    }
    if (sample.length - sampleBytes < length) {
      int wanted = Math.max(2 * sample.length, sampleBytes + length);
      byte[] larger = new byte[Math.min(MAX_SAMPLE_BYTES, Math.max(wanted, 16 << 10))];
      System.arraycopy(sample, 0, larger, 0, sampleBytes);
      sample = larger;
    }
    part.get(sample, sampleBytes, length);
    sampleBytes += length;
  }
}
