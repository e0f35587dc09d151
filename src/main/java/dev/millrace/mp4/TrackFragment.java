package dev.millrace.mp4;

import dev.millrace.stream.MediaFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A track's part of a movie fragment: {@code traf} (ISO/IEC 14496-12 §8.8.6). Its boxes may stand
 * in any order.
 *
 * @param decodeTime {@code tfdt} (§8.8.12)
 * @param runs in their order
 * @param encryptions {@code senc}, and that of PIFF, in their order
 * @param sizes {@code saiz} of common encryption
 * @param offsets {@code saio} of common encryption
 * @param groups its own descriptions and runs of type {@code seig}
 */
public record TrackFragment(
    Box box,
    TrackFragmentHeader header,
    Optional<Box> decodeTime,
    List<TrackRun> runs,
    List<SampleEncryption> encryptions,
    Optional<AuxiliarySizes> sizes,
    Optional<AuxiliaryOffsets> offsets,
    SampleGroups groups) {
  private static final int TFHD = FourCc.of("tfhd");
  private static final int TFDT = FourCc.of("tfdt");
  private static final int TRUN = FourCc.of("trun");
  private static final int SAIZ = FourCc.of("saiz");
  private static final int SAIO = FourCc.of("saio");

  public TrackFragment {
    runs = List.copyOf(runs);
    encryptions = List.copyOf(encryptions);
  }

  static TrackFragment read(Box traf) throws MediaFormatException {
    List<Box> children = traf.children();
    Box header =
        first(children, TFHD)
            .orElseThrow(() -> MediaFormatException.malformed("A traf has no tfhd."));
    List<TrackRun> runs = new ArrayList<>();
    List<SampleEncryption> encryptions = new ArrayList<>();
    Optional<AuxiliarySizes> sizes = Optional.empty();
    Optional<AuxiliaryOffsets> offsets = Optional.empty();
    for (Box child : children) {
      if (child.type() == TRUN) {
        runs.add(TrackRun.read(child));
      } else if (child.type() == SAIZ && sizes.isEmpty()) {
        sizes = AuxiliarySizes.read(child);
      } else if (child.type() == SAIO && offsets.isEmpty()) {
        offsets = AuxiliaryOffsets.read(child);
      } else if (SampleEncryption.is(child)) {
        encryptions.add(SampleEncryption.read(child));
      }
    }
    return new TrackFragment(
        traf,
        TrackFragmentHeader.read(header),
        first(children, TFDT),
        runs,
        encryptions,
        sizes,
        offsets,
        SampleGroupReader.read(children));
  }

  private static Optional<Box> first(List<Box> boxes, int type) {
    return boxes.stream().filter(box -> box.type() == type).findFirst();
  }

  /** Of all its runs; at most {@link MovieFragment#MAX_SAMPLES}. */
  public int sampleCount() {
    return runs.stream().mapToInt(TrackRun::count).sum();
  }
}
