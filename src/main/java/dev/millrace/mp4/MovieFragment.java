package dev.millrace.mp4;

import dev.millrace.stream.MediaFormatException;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code moof} (ISO/IEC 14496-12 §8.8.4).
 *
 * @param box the whole of it
 * @param tracks its trafs, in their order
 */
public record MovieFragment(Box box, List<TrackFragment> tracks) {
  /** More samples in one fragment are refused: three quarters of an hour of film, all in one. */
  public static final int MAX_SAMPLES = 1 << 16;

  private static final int TRAF = FourCc.of("traf");

  public MovieFragment {
    tracks = List.copyOf(tracks);
  }

  /**
   * Reads it.
   *
   * @throws MediaFormatException if a table does not fit its box, or a limit is passed; nothing was
   *     allocated for it then
   */
  public static MovieFragment read(Box moof) throws MediaFormatException {
    List<TrackFragment> tracks = new ArrayList<>();
    long samples = 0;
    for (Box child : moof.children()) {
      if (child.type() != TRAF) {
        continue;
      }
      TrackFragment track = TrackFragment.read(child);
      for (TrackRun run : track.runs()) {
        samples += run.count();
      }
      if (samples > MAX_SAMPLES) {
        throw MediaFormatException.malformed(
            "A fragment has more than " + MAX_SAMPLES + " samples.");
      }
      tracks.add(track);
    }
    return new MovieFragment(moof, tracks);
  }

  /** Of all its tracks. */
  public int sampleCount() {
    return tracks.stream().mapToInt(TrackFragment::sampleCount).sum();
  }
}
