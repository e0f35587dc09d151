package dev.millrace.mp4;

import java.util.List;
import java.util.Optional;

/**
 * A track (ISO/IEC 14496-12 §8.3.1).
 *
 * @param handler code of its media handler (§8.4.3): {@code vide}, {@code soun}, {@code text},
 *     {@code subt} …
 * @param timescale units per second of its media times (§8.4.2); never 0
 * @param entries what its samples can be (§8.5.2); a description index is 1 for the first
 * @param defaults of its fragments (trex, §8.8.3)
 * @param groups {@code seig} of its sample table
 */
public record Track(
    long id,
    int handler,
    long timescale,
    List<SampleEntry> entries,
    TrackDefaults defaults,
    SampleGroups groups) {
  public Track {
    entries = List.copyOf(entries);
  }

  /**
   * A sample entry, as fragments and sample tables name it.
   *
   * @param index 1 for the first
   */
  public Optional<SampleEntry> entry(long index) {
    return index >= 1 && index <= entries.size()
        ? Optional.of(entries.get((int) index - 1))
        : Optional.empty();
  }

  /**
   * What fragments take where they say nothing (§8.8.3).
   *
   * @param descriptionIndex 1 for the first sample entry
   * @param duration in units of the track
   * @param size in bytes
   */
  public record TrackDefaults(long descriptionIndex, long duration, long size, int flags) {
    /** Of a track without a trex. */
    public static final TrackDefaults NONE = new TrackDefaults(1, 0, 0, 0);
  }
}
