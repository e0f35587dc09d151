package dev.millrace.ts;

import dev.millrace.mp4.Box;
import dev.millrace.mp4.MovieFragment;
import dev.millrace.mp4.SampleLayout;
import dev.millrace.mp4.Track.TrackDefaults;
import dev.millrace.mp4.TrackFragment;
import dev.millrace.mp4.TrackRun;
import dev.millrace.stream.MediaFormatException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The samples of a fragment in the order in which they stand in the file. */
final class FragmentSamples {
  private static final int NOT_SYNC = 0x1_0000;

  private final Map<Long, ElementaryStream> streams;
  private final List<Sample> samples = new ArrayList<>();

  /**
   * A sample; times in units of its track.
   *
   * @param start absolute position
   * @param compositionOffset may be negative
   * @param isSigned whether composition offsets can be negative (trun version 1, §8.8.8)
   * @param isEntry whether decoding can begin with it
   */
  record Sample(
      ElementaryStream stream,
      long start,
      long size,
      long decodeTime,
      int compositionOffset,
      boolean isSigned,
      boolean isEntry) {
    long end() {
      return start + size;
    }
  }

  private FragmentSamples(Map<Long, ElementaryStream> streams) {
    this.streams = streams;
  }

  /**
   * Of the tracks that are streams here; those of others are left out.
   *
   * @param streams by track id
   * @param ends where the times of each track have come to; brought forward
   * @throws MediaFormatException if they overlap, or lie outside of any file
   */
  static List<Sample> of(
      MovieFragment fragment,
      long moofPosition,
      Map<Long, ElementaryStream> streams,
      Map<Long, Long> ends)
      throws MediaFormatException {
    FragmentSamples collected = new FragmentSamples(streams);
    long previousEnd = moofPosition;
    for (TrackFragment track : fragment.tracks()) {
      previousEnd = collected.add(track, moofPosition, previousEnd, ends);
    }
    collected.samples.sort(Comparator.comparingLong(Sample::start));
    long end = moofPosition;
    for (Sample sample : collected.samples) {
      if (sample.start() < end) {
        throw MediaFormatException.malformed("Samples of a fragment overlap.");
      }
      end = sample.end();
    }
    return collected.samples;
  }

  private long add(
      TrackFragment fragment, long moofPosition, long previousEnd, Map<Long, Long> ends)
      throws MediaFormatException {
    long id = fragment.header().trackId();
    ElementaryStream stream = streams.get(id);
    TrackDefaults defaults = stream == null ? TrackDefaults.NONE : stream.track().defaults();
    SampleLayout layout = SampleLayout.of(fragment, defaults, moofPosition, previousEnd);
    if (stream == null) {
      return layout.end();
    }
    long time =
        fragment.decodeTime().isPresent()
            ? decodeTime(fragment.decodeTime().get())
            : ends.getOrDefault(id, 0L);
    long duration = fragment.header().duration().orElse(defaults.duration());
    int flags = (int) fragment.header().flags().orElse(defaults.flags());
    int sample = 0;
    for (TrackRun run : fragment.runs()) {
      for (int i = 0; i < run.count(); i++, sample++) {
        boolean isEntry = (run.flags(i, flags) & NOT_SYNC) == 0;
        samples.add(
            new Sample(
                stream,
                layout.start(sample),
                layout.size(sample),
                time,
                run.compositionOffset(i),
                run.box().version() > 0,
                isEntry));
        time += run.duration(i, duration);
      }
    }
    ends.put(id, time);
    return layout.end();
  }

  private static long decodeTime(Box tfdt) throws MediaFormatException {
    return tfdt.version() == 0 ? tfdt.unsignedAt(4) : tfdt.longAt(4);
  }
}
