package dev.millrace.cenc;

import dev.millrace.mp4.AuxiliaryOffsets;
import dev.millrace.mp4.AuxiliarySizes;
import dev.millrace.mp4.Box;
import dev.millrace.mp4.SampleEncryption;
import dev.millrace.mp4.SampleLayout;
import dev.millrace.mp4.SampleProtection;
import dev.millrace.mp4.TrackFragment;
import dev.millrace.stream.MediaFormatException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where what stands with the samples of a track fragment comes from, the first that fits (contract
 * §4.4): {@code senc}; {@code saiz} and {@code saio} into the moof; the same into what follows it;
 * nothing, with a constant vector.
 */
final class AuxiliarySource {
  /** Sizes of a vector, in the order they are tried in if the one that is said does not fit. */
  private static final int[] IV_SIZES = {8, 16, 0};

  private final TrackFragment fragment;
  private final SampleLayout layout;
  private final SampleProtection[] protections;
  private final byte[] ivSizes;

  private @Nullable AuxiliaryRecords records;
  private @Nullable AuxiliaryPieces awaited;
  private boolean isOdd;

  private AuxiliarySource(
      TrackFragment fragment, SampleLayout layout, SampleProtection[] protections) {
    this.fragment = fragment;
    this.layout = layout;
    this.protections = protections;
    this.ivSizes = new byte[protections.length];
    for (int i = 0; i < ivSizes.length; i++) {
      ivSizes[i] = (byte) (protections[i].isProtected() ? protections[i].ivSize() : 0);
    }
  }

  /**
   * Looks for it.
   *
   * @param moof the box, all of it
   * @param moofPosition of its first byte
   * @return absent if there is none, as the samples are clear
   * @throws MediaFormatException if there should be one
   */
  static Optional<AuxiliarySource> find(
      TrackFragment fragment,
      SampleLayout layout,
      SampleProtection[] protections,
      Box moof,
      long moofPosition)
      throws MediaFormatException {
    AuxiliarySource source = new AuxiliarySource(fragment, layout, protections);
    source.records = source.ofSenc(moofPosition - moof.start()).orElse(null);
    if (source.records != null) {
      return Optional.of(source);
    }
    Optional<AuxiliaryPieces> pieces = source.pieces(moof, moofPosition);
    if (pieces.isPresent()) {
      source.awaited = pieces.get();
      source.pieceTaken();
      return Optional.of(source);
    }
    return source.without();
  }

  /** Whether what was found contradicts something else. */
  boolean isOdd() {
    return isOdd;
  }

  /** What is not there yet. */
  Optional<AuxiliaryPieces> awaited() {
    return Optional.ofNullable(awaited);
  }

  /** To be called when something of what is awaited was taken. */
  void pieceTaken() throws MediaFormatException {
    AuxiliaryPieces pieces = awaited;
    if (pieces != null && pieces.isComplete()) {
      AuxiliarySizes sizes = fragment.sizes().orElseThrow();
      records =
          ofSizes(sizes, pieces.bytes())
              .orElseThrow(() -> MediaFormatException.malformed("saiz does not fit its records."));
      awaited = null;
    }
  }

  /** Once nothing is awaited. */
  AuxiliaryRecords records() {
    if (records == null) {
      throw new IllegalStateException("records are awaited");
    }
    return records;
  }

  private boolean needsVectors() {
    for (SampleProtection protection : protections) {
      if (protection.isProtected() && protection.constantIv().length == 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * @param arrayPosition absolute position of the first byte of the array of the moof
   */
  private Optional<AuxiliaryRecords> ofSenc(long arrayPosition) throws MediaFormatException {
    for (SampleEncryption senc : fragment.encryptions()) {
      if (senc.count() == 0) {
        continue; // some packagers write it so where samples are clear, or have nothing to say
      }
      Optional<AuxiliaryRecords> fit = AuxiliaryRecords.of(senc, ivSizes, false);
      if (fit.isEmpty()) {
        fit = onlyFit(senc);
        isOdd = true;
      }
      if (fit.isPresent()) {
        long at = arrayPosition + senc.box().contentStart() + senc.recordsOffset();
        isOdd |= fragment.offsets().isPresent() && !pointsAt(fragment.offsets().get(), at);
        return fit;
      }
    }
    return Optional.empty();
  }

  private boolean pointsAt(AuxiliaryOffsets offsets, long position) throws MediaFormatException {
    return offsets.count() > 0 && layout.base() + offsets.offset(0) == position;
  }

  /** With another size of vectors than is said, if just one fits. */
  private Optional<AuxiliaryRecords> onlyFit(SampleEncryption senc) {
    Optional<AuxiliaryRecords> only = Optional.empty();
    for (int size : IV_SIZES) {
      if (senc.count() != layout.count() || (size == 0 && needsVectors())) {
        continue;
      }
      byte[] sizes = new byte[layout.count()];
      java.util.Arrays.fill(sizes, (byte) size);
      Optional<AuxiliaryRecords> fit = AuxiliaryRecords.of(senc, sizes, true);
      if (fit.isPresent() && only.isPresent()) {
        return Optional.empty();
      }
      only = fit.isPresent() ? fit : only;
    }
    return only;
  }

  private Optional<AuxiliaryRecords> ofSizes(AuxiliarySizes sizes, byte[] bytes)
      throws MediaFormatException {
    Optional<AuxiliaryRecords> fit = AuxiliaryRecords.of(sizes, bytes, ivSizes);
    for (int i = 0; fit.isEmpty() && i < IV_SIZES.length; i++) {
      byte[] others = new byte[layout.count()];
      java.util.Arrays.fill(others, (byte) IV_SIZES[i]);
      isOdd = true;
      if (IV_SIZES[i] != 0 || !needsVectors()) {
        fit = AuxiliaryRecords.of(sizes, bytes, others);
      }
    }
    return fit;
  }

  /** What saio points at, if it is in the moof or behind it. */
  private Optional<AuxiliaryPieces> pieces(Box moof, long moofPosition)
      throws MediaFormatException {
    if (fragment.sizes().isEmpty() || fragment.offsets().isEmpty()) {
      return Optional.empty();
    }
    long moofEnd = moofPosition + moof.end() - moof.start();
    long[] bases = {layout.base(), moofPosition};
    for (long base : bases) {
      Optional<AuxiliaryPieces> pieces =
          AuxiliaryPieces.of(fragment.sizes().get(), fragment.offsets().get(), layout, base);
      if (pieces.isPresent() && pieces.get().isWithin(moofPosition + 8, moofEnd)) {
        pieces.get().gather(moof, moofPosition);
        return pieces;
      }
    }
    return AuxiliaryPieces.of(
            fragment.sizes().get(), fragment.offsets().get(), layout, layout.base())
        .filter(pieces -> pieces.isWithin(moofEnd, Long.MAX_VALUE / 2));
  }

  private Optional<AuxiliarySource> without() throws MediaFormatException {
    boolean isClaimed =
        fragment.encryptions().stream().anyMatch(senc -> senc.count() > 0)
            || fragment.sizes().filter(sizes -> sizes.count() > 0).isPresent();
    if (!needsVectors()) {
      records = AuxiliaryRecords.none(layout.count());
      isOdd = isClaimed;
      return Optional.of(this);
    }
    if (isClaimed) {
      throw MediaFormatException.malformed(
          "Neither senc nor saiz and saio fit the samples of their fragment.");
    }
    return Optional.empty(); // clear, before protection begins
  }
}
