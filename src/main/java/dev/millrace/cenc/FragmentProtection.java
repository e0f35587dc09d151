package dev.millrace.cenc;

import dev.millrace.mp4.FourCc;
import dev.millrace.mp4.SampleEncryption;
import dev.millrace.mp4.SampleLayout;
import dev.millrace.mp4.SampleProtection;
import dev.millrace.mp4.Track;
import dev.millrace.mp4.TrackEncryption;
import dev.millrace.mp4.TrackFragment;
import dev.millrace.stream.MediaFormatException;
import java.util.Arrays;
import java.util.Optional;

/** How a track fragment is protected: scheme, and what is true of each sample. */
final class FragmentProtection {
  private static final int CENC = FourCc.of("cenc");
  private static final int CBC1 = FourCc.of("cbc1");
  private static final int PIFF_CBC = 2;

  private final int scheme;
  private final SampleProtection[] samples;

  private FragmentProtection(int scheme, SampleProtection[] samples) {
    this.scheme = scheme;
    this.samples = samples;
  }

  static FragmentProtection of(
      TrackFragment fragment, Track track, SampleLayout layout, TrackEncryption encryption)
      throws MediaFormatException {
    Optional<SampleEncryption.PiffOverride> override =
        fragment.encryptions().stream().flatMap(senc -> senc.override().stream()).findFirst();
    if (override.isPresent()) {
      SampleProtection[] samples = new SampleProtection[layout.count()];
      Arrays.fill(samples, override.get().protection());
      int scheme = override.get().algorithm() == PIFF_CBC ? CBC1 : CENC;
      return new FragmentProtection(scheme, samples);
    }
    return new FragmentProtection(
        encryption.scheme(),
        SampleProtections.of(
            layout.count(), fragment.groups(), track.groups(), encryption.protection()));
  }

  /** Its code. */
  int scheme() {
    return scheme;
  }

  /** One for each sample; many are the same object. */
  SampleProtection[] samples() {
    return samples;
  }

  /** Whether any sample is protected. */
  boolean isAny() {
    return Arrays.stream(samples).anyMatch(SampleProtection::isProtected);
  }
}
