package dev.millrace.cenc;

import static dev.millrace.testing.BoxBuilder.box;
import static dev.millrace.testing.BoxBuilder.full;

import dev.millrace.mp4.Box;
import dev.millrace.mp4.FourCc;
import dev.millrace.mp4.InitSegment;
import dev.millrace.mp4.SampleEntry;
import dev.millrace.mp4.SampleGroups;
import dev.millrace.mp4.SampleProtection;
import dev.millrace.mp4.Track;
import dev.millrace.mp4.Track.TrackDefaults;
import dev.millrace.mp4.TrackEncryption;
import dev.millrace.testing.BoxBuilder;
import dev.millrace.testing.SampleProtector;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntFunction;

/** Fragments put together by hand, of samples of one track; vectors have 8 bytes. */
final class HandMade {
  static final SampleProtector CENC = SampleProtector.of("cenc");
  static final DecryptionOptions OPTIONS =
      DecryptionOptions.of(Decryption.ring(CENC.kid(), CENC.key()));

  private HandMade() {}

  static SampleProtection protection(SampleProtector protector) {
    return new SampleProtection(
        true,
        protector.crypt(),
        protector.skip(),
        protector.ivSize(),
        HexFormat.of().parseHex(protector.kid()),
        protector.isConstant() ? protector.iv(0) : new byte[0]);
  }

  static InitSegment init(SampleProtection protection, long defaultSize, SampleGroups groups) {
    TrackEncryption encryption = new TrackEncryption(FourCc.of("cenc"), protection);
    Box none = new Box(new byte[8], FourCc.of("encv"), 0, 8, 8);
    SampleEntry entry =
        new SampleEntry(FourCc.of("encv"), FourCc.of("avc1"), Optional.of(encryption), none);
    TrackDefaults defaults = new TrackDefaults(1, 100, defaultSize, 0);
    return new InitSegment(
        List.of(
            new Track(1, FourCc.of("vide"), 1000, List.of(entry), defaults, groups),
            new Track(2, FourCc.of("vide"), 1000, List.of(entry), defaults, groups)));
  }

  static InitSegment init() {
    return init(protection(CENC), 0, SampleGroups.NONE);
  }

  /** Random samples of these sizes, one after the other. */
  static byte[] samples(int... sizes) {
    byte[] samples = new byte[Arrays.stream(sizes).sum()];
    new Random(sizes.length).nextBytes(samples);
    return samples;
  }

  /** The same, each encrypted with the vector of its number. */
  static byte[] coded(byte[] clear, int... sizes) {
    byte[] coded = clear.clone();
    int at = 0;
    for (int i = 0; i < sizes.length; i++) {
      CENC.protect(coded, at, sizes[i], i);
      at += sizes[i];
    }
    return coded;
  }

  /** Records of samples without subsamples. */
  static byte[] records(int from, int count) {
    BoxBuilder records = box("none");
    for (int i = from; i < from + count; i++) {
      records.put(CENC.iv(i));
    }
    byte[] bytes = records.bytes();
    return Arrays.copyOfRange(bytes, 8, bytes.length);
  }

  static BoxBuilder senc(int from, int count) {
    return full("senc", 0, 0).u32(count).put(records(from, count));
  }

  static BoxBuilder tfhd(int track) {
    return full("tfhd", 0, 0x20000).u32(track);
  }

  static BoxBuilder trun(int dataOffset, int... sizes) {
    BoxBuilder run = full("trun", 0, 0x201).u32(sizes.length).u32(dataOffset);
    Arrays.stream(sizes).forEach(run::u32);
    return run;
  }

  /** A moof that knows how long it is. */
  static byte[] moof(IntFunction<BoxBuilder> ofLength) {
    return ofLength.apply(ofLength.apply(0).length()).bytes();
  }

  /** Of one traf with these boxes, whose samples stand at the beginning of the mdat behind it. */
  static byte[] moof(int[] sizes, BoxBuilder... more) {
    return moof(
        length -> {
          BoxBuilder traf = box("traf").box(tfhd(1)).box(trun(length + 8, sizes));
          Arrays.stream(more).forEach(traf::box);
          return box("moof").box(traf);
        });
  }

  static byte[] mdat(byte[] content) {
    return box("mdat").put(content).bytes();
  }

  static Decryption decrypt(InitSegment init, byte[] stream) {
    return Decryption.everyWay(OPTIONS, init, stream);
  }
}
