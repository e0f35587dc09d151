package dev.millrace.mp4;

import dev.millrace.mp4.Track.TrackDefaults;
import dev.millrace.stream.MediaFormatException;

/**
 * Where the samples of a track fragment stand (ISO/IEC 14496-12 §8.8.7, §8.8.8): absolute
 * positions. Filled once, then read.
 */
public final class SampleLayout {
  /** Positions beyond are refused, so that none can overflow. */
  private static final long MAX_POSITION = 1L << 62;

  private final long[] starts;
  private final int[] sizes;
  private final int[] runStarts;
  private final long base;
  private long end;

  private SampleLayout(long base, int samples, int runs) {
    this.base = base;
    this.end = base;
    this.starts = new long[samples];
    this.sizes = new int[samples];
    this.runStarts = new int[runs];
  }

  /**
   * Of a fragment.
   *
   * @param defaults of its track
   * @param moofPosition of the first byte of the moof
   * @param previousEnd behind the samples of the traf before; the moof's position for the first one
   * @throws MediaFormatException if they lie outside of any file
   */
  public static SampleLayout of(
      TrackFragment fragment, TrackDefaults defaults, long moofPosition, long previousEnd)
      throws MediaFormatException {
    TrackFragmentHeader header = fragment.header();
    long base = header.baseOffset().orElse(header.isBaseMoof() ? moofPosition : previousEnd);
    if (base < 0 || base > MAX_POSITION) {
      throw outside();
    }
    SampleLayout layout = new SampleLayout(base, fragment.sampleCount(), fragment.runs().size());
    long size = fragment.header().size().orElse(defaults.size());
    int sample = 0;
    long position = base;
    for (int i = 0; i < layout.runStarts.length; i++) {
      TrackRun run = fragment.runs().get(i);
      layout.runStarts[i] = sample;
      if (run.dataOffset().isPresent()) {
        position = base + run.dataOffset().getAsInt();
      }
      position = layout.add(run, sample, position, size);
      sample += run.count();
      layout.end = Math.max(layout.end, position);
    }
    return layout;
  }

  private long add(TrackRun run, int first, long from, long defaultSize)
      throws MediaFormatException {
    long position = from;
    for (int i = 0; i < run.count(); i++) {
      long size = run.size(i, defaultSize);
      starts[first + i] = position;
      sizes[first + i] = (int) size;
      position += size;
    }
    if (from < 0 || position > MAX_POSITION) {
      throw outside();
    }
    return position;
  }

  private static MediaFormatException outside() {
    return MediaFormatException.malformed("The samples of a fragment lie outside of any file.");
  }

  /** How many samples. */
  public int count() {
    return starts.length;
  }

  /** What the offsets of runs count from. */
  public long base() {
    return base;
  }

  /** Behind its last run; its base if it has none. */
  public long end() {
    return end;
  }

  /** Absolute, of its first byte. */
  public long start(int sample) {
    return starts[sample];
  }

  /** In bytes. */
  public long size(int sample) {
    return sizes[sample] & 0xffff_ffffL;
  }

  /** How many runs. */
  public int runs() {
    return runStarts.length;
  }

  /** The first sample of a run; the number of samples for the run behind the last. */
  public int runStart(int run) {
    return run == runStarts.length ? starts.length : runStarts[run];
  }
}
