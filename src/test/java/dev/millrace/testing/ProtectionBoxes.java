package dev.millrace.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** The boxes of ISO/IEC 23001-7 §7, §8 and of PIFF, as {@link CencEncryptor} writes them. */
final class ProtectionBoxes {
  private static final String PIFF_SENC = "a2394f525a9b4f14a2446c427c648df4";
  private static final String PIFF_TENC = "8974dbce7be74c5184f97148f9882554";
  private static final String CLEAR_KEY_SYSTEM = "1077efecc0b24d02ace33c1e52e2fb4b";

  private ProtectionBoxes() {}

  static MovieBox pssh(String kid) {
    return MovieBox.of(
        "pssh", joined(ints(1 << 24), hex(CLEAR_KEY_SYSTEM), ints(1), hex(kid), ints(0)));
  }

  /** Content of {@code stsd}: its entries protected, before them as they were if wanted. */
  static byte[] entries(
      byte[] stsd, String type, SampleProtector protector, boolean isPiff, boolean keepsClear) {
    byte[] entries = Arrays.copyOfRange(stsd, 8, stsd.length);
    List<byte[]> written = new ArrayList<>();
    for (MovieBox entry : MovieBox.read(entries)) {
      byte[] sinf = sinf(entry.type(), protector, isPiff).bytes();
      written.add(MovieBox.of(type, joined(entry.content(), sinf)).bytes());
    }
    int count = ByteBuffer.wrap(stsd).getInt(4);
    byte[] coded = MovieBox.joined(written);
    return keepsClear ? joined(ints(0, 2 * count), entries, coded) : joined(ints(0, count), coded);
  }

  private static MovieBox sinf(String format, SampleProtector protector, boolean isPiff) {
    String scheme = isPiff ? "piff" : protector.scheme();
    return MovieBox.of(
        "sinf",
        MovieBox.of("frma", format.getBytes(ISO_8859_1)),
        MovieBox.of("schm", joined(ints(0), scheme.getBytes(ISO_8859_1), ints(0x10000))),
        MovieBox.of("schi", isPiff ? piffTenc(protector) : tenc(protector)));
  }

  private static MovieBox tenc(SampleProtector protector) {
    int version = hasPattern(protector) ? 1 : 0;
    byte[] constant = constantIv(protector);
    return MovieBox.of(
        "tenc",
        joined(
            ints(version << 24),
            new byte[] {0, pattern(protector), 1, (byte) protector.ivSize()},
            hex(protector.kid()),
            constant));
  }

  private static MovieBox piffTenc(SampleProtector protector) {
    int algorithm = protector.scheme().equals("cenc") ? 1 : 2;
    return MovieBox.of(
        "uuid",
        joined(hex(PIFF_TENC), ints(0, algorithm << 8 | protector.ivSize()), hex(protector.kid())));
  }

  private static boolean hasPattern(SampleProtector protector) {
    return protector.scheme().equals("cbcs") || protector.scheme().equals("cens");
  }

  private static byte pattern(SampleProtector protector) {
    return (byte) (hasPattern(protector) ? protector.crypt() << 4 | protector.skip() : 0);
  }

  private static byte[] constantIv(SampleProtector protector) {
    if (!protector.isConstant()) {
      return new byte[0];
    }
    byte[] iv = protector.iv(0);
    return joined(new byte[] {(byte) iv.length}, iv);
  }

  /** Two boxes by which all samples are of one group of the fragment. */
  static List<MovieBox> group(SampleProtector protector, boolean isProtected, int samples) {
    byte[] seig = "seig".getBytes(ISO_8859_1);
    byte[] description =
        joined(
            new byte[] {
              0,
              pattern(protector),
              (byte) (isProtected ? 1 : 0),
              (byte) (isProtected ? protector.ivSize() : 0)
            },
            isProtected ? hex(protector.kid()) : new byte[16],
            isProtected ? constantIv(protector) : new byte[0]);
    return List.of(
        MovieBox.of("sgpd", joined(ints(1 << 24), seig, ints(description.length, 1), description)),
        MovieBox.of("sbgp", joined(ints(0), seig, ints(1, samples, 0x10001))));
  }

  /** What stands with one sample. */
  static byte[] entry(SampleProtector protector, int size, int sample, boolean alwaysCounts) {
    byte[] iv = protector.isConstant() ? new byte[0] : protector.iv(sample);
    int[] parts = protector.subsamples().apply(size);
    if (parts.length == 0 && !alwaysCounts && protector.subsamples().apply(100).length == 0) {
      return iv;
    }
    ByteBuffer subsamples = ByteBuffer.allocate(2 + 3 * parts.length);
    subsamples.putShort((short) (parts.length / 2));
    for (int i = 0; i < parts.length; i += 2) {
      subsamples.putShort((short) parts[i]).putInt(parts[i + 1]);
    }
    return joined(iv, subsamples.array());
  }

  static MovieBox senc(List<byte[]> entries, boolean hasCounts) {
    return MovieBox.of(
        "senc", joined(ints(hasCounts ? 2 : 0, entries.size()), MovieBox.joined(entries)));
  }

  static MovieBox piffSenc(List<byte[]> entries, boolean hasCounts) {
    return MovieBox.of("uuid", joined(hex(PIFF_SENC), senc(entries, hasCounts).content()));
  }

  static MovieBox saiz(List<byte[]> entries) {
    boolean isEven = entries.stream().mapToInt(entry -> entry.length).distinct().count() == 1;
    ByteBuffer sizes = ByteBuffer.allocate(isEven ? 0 : entries.size());
    if (!isEven) {
      entries.forEach(entry -> sizes.put((byte) entry.length));
    }
    byte even = (byte) (isEven ? entries.get(0).length : 0);
    return MovieBox.of(
        "saiz", joined(ints(0), new byte[] {even}, ints(entries.size()), sizes.array()));
  }

  /** Content of {@code saio}. */
  static byte[] saio(int version, List<Integer> offsets) {
    ByteBuffer out = ByteBuffer.allocate(8 + (version == 0 ? 4 : 8) * offsets.size());
    out.putInt(version << 24).putInt(offsets.size());
    for (int offset : offsets) {
      if (version == 0) {
        out.putInt(offset);
      } else {
        out.putLong(offset);
      }
    }
    return out.array();
  }

  /** Content of a {@code tfhd} that names no sample entry yet, naming one. */
  static byte[] withDescription(byte[] tfhd, int index) {
    int flags = ByteBuffer.wrap(tfhd).getInt();
    return joined(
        ints(flags | 2),
        Arrays.copyOfRange(tfhd, 4, 8),
        ints(index),
        Arrays.copyOfRange(tfhd, 8, tfhd.length));
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }

  private static byte[] ints(int... values) {
    ByteBuffer out = ByteBuffer.allocate(4 * values.length);
    Arrays.stream(values).forEach(out::putInt);
    return out.array();
  }

  private static byte[] joined(byte[]... parts) {
    return MovieBox.joined(List.of(parts));
  }
}
