package dev.millrace.cenc;

import dev.millrace.mp4.Track.TrackDefaults;
import dev.millrace.mp4.TrackFragment;
import dev.millrace.mp4.TrackRun;
import dev.millrace.stream.MediaFormatException;

/**
 * Where the samples of a track fragment stand (ISO/IEC 14496-12 §8.8.7, §8.8.8): absolute
 * positions. Filled once, then read.
 */
final class SampleLayout {
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
   * @param defaults of its track
   * @param base what the offsets of its runs count from
   */
  static SampleLayout of(TrackFragment fragment, TrackDefaults defaults, long base)
      throws MediaFormatException {
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

  int count() {
    return starts.length;
  }

  /** What the offsets of runs count from. */
  long base() {
    return base;
  }

  /** Behind its last run; its base if it has none. */
  long end() {
    return end;
  }

  long start(int sample) {
    return starts[sample];
  }

  /** In bytes. */
  long size(int sample) {
    return sizes[sample] & 0xffff_ffffL;
  }

  int runs() {
    return runStarts.length;
  }

  /** The first sample of a run; the number of samples for the run behind the last. */
  int runStart(int run) {
    return run == runStarts.length ? starts.length : runStarts[run];
  }
}
