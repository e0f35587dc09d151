package dev.millrace.mp4;

import dev.millrace.stream.MediaFormatException;
import java.util.Set;

/**
 * Which boxes speak of protection only, so that clear media need none of them: {@code pssh senc
 * saiz saio} (ISO/IEC 23001-7 §7, §8.1), groups of type {@code seig} (§6), and those of PIFF.
 */
public final class ProtectionBoxes {
  private static final int PSSH = FourCc.of("pssh");
  private static final int SENC = FourCc.of("senc");
  private static final int SAIZ = FourCc.of("saiz");
  private static final int SAIO = FourCc.of("saio");
  private static final Set<Integer> AUXILIARY_TYPES =
      Set.of(
          FourCc.of("cenc"),
          FourCc.of("cens"),
          FourCc.of("cbc1"),
          FourCc.of("cbcs"),
          FourCc.of("piff"));

  private ProtectionBoxes() {}

  /** Auxiliary information of another type than that of a scheme is none (§8.7.8). */
  public static boolean contain(Box box) throws MediaFormatException {
    return box.type() == PSSH
        || box.type() == SENC
        || isAuxiliary(box)
        || SampleGroupReader.isProtection(box)
        || box.isUuid(ExtendedTypes.PIFF_SENC)
        || box.isUuid(ExtendedTypes.PIFF_TENC)
        || box.isUuid(ExtendedTypes.PIFF_PSSH);
  }

  private static boolean isAuxiliary(Box box) throws MediaFormatException {
    if (box.type() != SAIZ && box.type() != SAIO) {
      return false;
    }
    boolean saysType = (box.flags() & 1) != 0;
    return !saysType || AUXILIARY_TYPES.contains(box.intAt(4));
  }
}
