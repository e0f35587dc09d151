package dev.millrace.cenc;

import dev.millrace.mp4.Box;
import dev.millrace.mp4.InitSegment;
import dev.millrace.mp4.MovieFragment;
import dev.millrace.mp4.SampleEntry;
import dev.millrace.mp4.SampleLayout;
import dev.millrace.mp4.SampleProtection;
import dev.millrace.mp4.Track;
import dev.millrace.mp4.Track.TrackDefaults;
import dev.millrace.mp4.TrackEncryption;
import dev.millrace.mp4.TrackFragment;
import dev.millrace.stream.MediaFormatException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a movie fragment says about the bytes behind it (contract §4.4). Ready at once, unless the
 * records of its samples stand among those bytes.
 */
final class FragmentPlan {
  /** So that a distance and the number of a sample fit one long; more than any file has. */
  private static final long MAX_SPAN = 1L << 43;

  private static final int SAMPLE_BITS = 20;

  /** What a sample takes at most while it is planned: place, protection, order, vector. */
  private static final long SAMPLE_BYTES = 128;

  /** The same for a range, in arrays that double. */
  private static final long RANGE_BYTES = 64;

  /** Of a subsample, as it stands in the moof (ISO/IEC 23001-7 §7.1). */
  private static final int SUBSAMPLE_BYTES = 6;

  private final DecryptionOptions options;
  private final InitSegment init;
  private final Box moof;
  private final long moofPosition;

  private final List<TrackFragmentPlan> plans = new ArrayList<>();
  private final Set<Integer> clearTracks = new HashSet<>();
  private long firstSample = Long.MAX_VALUE;
  private long end;
  private long samples;
  private long anomalies;

  private FragmentPlan(DecryptionOptions options, InitSegment init, Box moof, long moofPosition) {
    this.options = options;
    this.init = init;
    this.moof = moof;
    this.moofPosition = moofPosition;
  }

  /** What planning it takes at most, in bytes. */
  static long mostBytes(MovieFragment fragment) {
    long samples = fragment.sampleCount();
    long ranges = samples + fragment.box().contentLength() / SUBSAMPLE_BYTES;
    return samples * SAMPLE_BYTES + Math.min(ranges, ProtectedRanges.MAX_RANGES) * RANGE_BYTES;
  }

  /**
   * Reads it.
   *
   * @param fragment of the whole box, which stays as it is
   * @param moofPosition absolute, of its first byte
   * @throws MediaFormatException if it cannot be decrypted, because of what it says or because a
   *     key is missing
   */
  static FragmentPlan of(
      DecryptionOptions options, InitSegment init, MovieFragment fragment, long moofPosition)
      throws MediaFormatException {
    FragmentPlan plan = new FragmentPlan(options, init, fragment.box(), moofPosition);
    long previousEnd = moofPosition;
    for (TrackFragment track : fragment.tracks()) {
      previousEnd = plan.add(track, previousEnd);
    }
    return plan;
  }

  private long add(TrackFragment fragment, long previousEnd) throws MediaFormatException {
    Optional<Track> track = init.track(fragment.header().trackId());
    TrackDefaults defaults = track.map(Track::defaults).orElse(TrackDefaults.NONE);
    SampleLayout layout = SampleLayout.of(fragment, defaults, moofPosition, previousEnd);
    samples += layout.count();
    end = Math.max(end, layout.end());
    for (int run = 0; run < layout.runs(); run++) {
      if (layout.runStart(run) < layout.runStart(run + 1)) {
        firstSample = Math.min(firstSample, layout.start(layout.runStart(run)));
      }
    }
    if (track.isPresent()) {
      add(fragment, track.get(), layout);
    } else {
      refuseProtected(fragment);
      anomalies++;
    }
    return layout.end();
  }

  /** What nothing is known of would come out encrypted, and be called clear. */
  private void refuseProtected(TrackFragment fragment) throws MediaFormatException {
    boolean isProtected = !fragment.encryptions().isEmpty() || fragment.sizes().isPresent();
    if (isProtected && init.tracks().isEmpty() && !options.passesWithoutKey()) {
      throw MediaFormatException.malformed(
          "Samples are encrypted, and there is no moov that says how (expected: in init_url).");
    }
  }

  private void add(TrackFragment fragment, Track track, SampleLayout layout)
      throws MediaFormatException {
    Optional<TrackEncryption> encryption = entry(fragment, track).flatMap(SampleEntry::encryption);
    boolean isCleared = true;
    if (encryption.isPresent() && layout.count() > 0) {
      isCleared = add(fragment, track, layout, encryption.get());
    }
    boolean isProtected = track.entries().stream().anyMatch(e -> e.encryption().isPresent());
    if (isCleared && isProtected) {
      clearTracks.add(fragment.box().start());
    }
  }

  /** Gives whether what is left is clear. */
  private boolean add(
      TrackFragment fragment, Track track, SampleLayout layout, TrackEncryption encryption)
      throws MediaFormatException {
    FragmentProtection protection = FragmentProtection.of(fragment, track, layout, encryption);
    if (!protection.isAny()) {
      return true;
    }
    SampleSettings settings = new SampleSettings(options, protection.scheme());
    if (!settings.isKnown()) {
      return false;
    }
    SampleProtection[] protections = protection.samples();
    Optional<AuxiliarySource> source =
        AuxiliarySource.find(fragment, layout, protections, moof, moofPosition);
    if (source.isEmpty()) {
      return true;
    }
    TrackFragmentPlan plan = new TrackFragmentPlan(layout, protections, settings, source.get());
    if (!plan.hasKeys()) {
      return false;
    }
    anomalies += source.get().isOdd() ? 1 : 0;
    plans.add(plan);
    return true;
  }

  private static Optional<SampleEntry> entry(TrackFragment fragment, Track track)
      throws MediaFormatException {
    long index = fragment.header().descriptionIndex().orElse(track.defaults().descriptionIndex());
    Optional<SampleEntry> entry = track.entry(index);
    List<SampleEntry> encrypted =
        track.entries().stream().filter(e -> e.encryption().isPresent()).toList();
    if (entry.isPresent() || encrypted.isEmpty()) {
      return entry;
    }
    if (encrypted.size() > 1) {
      throw MediaFormatException.malformed(
          "A fragment has sample description " + index + ", which its track does not have.");
    }
    return Optional.of(encrypted.get(0));
  }

  /** Where the trafs begin whose samples will be clear, in the array of the moof. */
  Set<Integer> clearTracks() {
    return clearTracks;
  }

  /** Of all its tracks, known or not. */
  long samples() {
    return samples;
  }

  /** Where the first of them stands; {@link Long#MAX_VALUE} if there is none. */
  long firstSample() {
    return firstSample;
  }

  /** Behind the last of them. */
  long end() {
    return end;
  }

  /** What was odd, so far. */
  long anomalies() {
    return anomalies + plans.stream().mapToLong(TrackFragmentPlan::anomalies).sum();
  }

  /** Whether records of samples are still to come. */
  boolean isAwaiting() {
    return plans.stream().anyMatch(plan -> plan.awaited().isPresent());
  }

  /**
   * Takes of the awaited records what is there, and makes it zero.
   *
   * @param position of the first byte
   */
  void take(long position, byte[] bytes, int offset, int length) throws MediaFormatException {
    for (TrackFragmentPlan plan : plans) {
      plan.take(position, bytes, offset, length);
    }
  }

  /**
   * Once nothing is awaited: what is encrypted behind the moof, or before it.
   *
   * @throws MediaFormatException if samples overlap, or are shorter than their subsamples
   */
  ProtectedRanges ranges() throws MediaFormatException {
    ProtectedRanges ranges = new ProtectedRanges();
    int[] firsts = firsts();
    long last = 0;
    for (long key : order(firsts)) {
      int number = (int) (key & (1 << SAMPLE_BITS) - 1);
      int at = Arrays.binarySearch(firsts, number);
      int track = at >= 0 ? at : -at - 2;
      TrackFragmentPlan plan = plans.get(track);
      int sample = number - firsts[track];
      long start = plan.layout().start(sample);
      if (start < last) {
        throw MediaFormatException.malformed("Encrypted samples of a fragment overlap.");
      }
      last = start + plan.layout().size(sample);
      plan.add(sample, ranges);
    }
    return ranges;
  }

  /** What number the first sample of each plan has, if all are counted. */
  private int[] firsts() {
    int[] firsts = new int[plans.size()];
    for (int i = 1; i < firsts.length; i++) {
      firsts[i] = firsts[i - 1] + plans.get(i - 1).layout().count();
    }
    return firsts;
  }

  /** Encrypted samples as they follow one another in the file: distance and number in one. */
  private long[] order(int[] firsts) throws MediaFormatException {
    long origin = firstSample;
    long[] keys = new long[(int) Math.min(samples, MovieFragment.MAX_SAMPLES)];
    int count = 0;
    for (int i = 0; i < firsts.length; i++) {
      TrackFragmentPlan plan = plans.get(i);
      for (int sample = 0; sample < plan.layout().count(); sample++) {
        if (plan.isProtected(sample)) {
          long distance = plan.layout().start(sample) - origin;
          if (distance >= MAX_SPAN) {
            throw MediaFormatException.malformed("The samples of a fragment lie too far apart.");
          }
          keys[count++] = distance << SAMPLE_BITS | firsts[i] + sample;
        }
      }
    }
    long[] order = Arrays.copyOf(keys, count);
    Arrays.sort(order);
    return order;
  }
}
