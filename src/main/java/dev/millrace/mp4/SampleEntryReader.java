package dev.millrace.mp4;

import dev.millrace.stream.MediaFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a sample entry (ISO/IEC 14496-12 §8.5.2) and, if its type is {@code encv}, {@code enca},
 * {@code enct}, {@code encs} or {@code encm}, its protection (§8.12). What stands before the boxes
 * of an entry depends on what it is, and on versions of QuickTime: the protection is looked for
 * where each kind has its boxes, and found where they fill the entry.
 */
public final class SampleEntryReader {
  private static final int ENCV = FourCc.of("encv");
  private static final int ENCA = FourCc.of("enca");
  private static final int ENCT = FourCc.of("enct");
  private static final int ENCS = FourCc.of("encs");
  private static final int ENCM = FourCc.of("encm");
  private static final int SINF = FourCc.of("sinf");
  private static final int FRMA = FourCc.of("frma");
  private static final int SCHM = FourCc.of("schm");
  private static final int SCHI = FourCc.of("schi");
  private static final int TENC = FourCc.of("tenc");
  private static final int PIFF = FourCc.of("piff");
  private static final int CENC = FourCc.of("cenc");
  private static final int CBC1 = FourCc.of("cbc1");
  private static final List<Integer> SCHEMES =
      List.of(CENC, FourCc.of("cens"), CBC1, FourCc.of("cbcs"), PIFF);

  /**
   * Content before the boxes: video, audio, the same in QuickTime's versions 1 and 2, timed text.
   */
  private static final int[] FIELDS = {78, 28, 44, 64, 8, 30};

  /** Strings before the boxes of XML and text entries (§12.5, §12.6), at most. */
  private static final int MAX_STRINGS = 4;

  private SampleEntryReader() {}

  /**
   * Its format, and how it is protected.
   *
   * @throws MediaFormatException if its type says that it is protected, and it does not say how
   */
  public static SampleEntry read(Box entry) throws MediaFormatException {
    if (!isProtected(entry.type())) {
      return new SampleEntry(entry.type(), entry.type(), Optional.empty(), entry);
    }
    Box sinf = chosen(protections(entry));
    Box frma =
        sinf.child(FRMA)
            .orElseThrow(() -> MediaFormatException.malformed("Box 'sinf' names no format."));
    Optional<TrackEncryption> encryption = Optional.of(encryption(sinf));
    return new SampleEntry(entry.type(), frma.intAt(0), encryption, entry);
  }

  /** Whether such an entry hides what it is. */
  public static boolean isProtected(int type) {
    return type == ENCV || type == ENCA || type == ENCT || type == ENCS || type == ENCM;
  }

  /**
   * The {@code sinf} boxes of a protected entry, at least one.
   *
   * @throws MediaFormatException if there is none
   */
  public static List<Box> protections(Box entry) throws MediaFormatException {
    for (int fields : FIELDS) {
      List<Box> found = protectionsAt(entry, fields);
      if (!found.isEmpty()) {
        return found;
      }
    }
    int at = 8;
    for (int i = 0; i < MAX_STRINGS; i++) {
      while (at < entry.contentLength() && entry.byteAt(at) != 0) {
        at++;
      }
      at++;
      List<Box> found = protectionsAt(entry, at);
      if (!found.isEmpty()) {
        return found;
      }
    }
    throw MediaFormatException.malformed(
        "Sample entry '" + FourCc.text(entry.type()) + "' does not say how it is protected.");
  }

  /** None if the boxes do not begin there. */
  private static List<Box> protectionsAt(Box entry, int fields) {
    List<Box> found = new ArrayList<>();
    if (fields > entry.contentLength()) {
      return found;
    }
    try {
      for (Box child : entry.children(entry.contentStart() + fields)) {
        if (child.type() == SINF) {
          found.add(child);
        }
      }
      return found;
    } catch (MediaFormatException e) {
      return List.of();
    }
  }

  /** The first whose scheme is read here, else the first. */
  private static Box chosen(List<Box> protections) throws MediaFormatException {
    for (Box sinf : protections) {
      if (SCHEMES.contains(scheme(sinf))) {
        return sinf;
      }
    }
    return protections.get(0);
  }

  private static int scheme(Box sinf) throws MediaFormatException {
    Optional<Box> schm = sinf.child(SCHM);
    return schm.isPresent() ? schm.get().intAt(4) : 0;
  }

  private static TrackEncryption encryption(Box sinf) throws MediaFormatException {
    int scheme = scheme(sinf);
    Optional<Box> schi = sinf.child(SCHI);
    for (Box box : schi.isPresent() ? schi.get().children() : List.<Box>of()) {
      if (box.type() == TENC) {
        return new TrackEncryption(scheme, SampleProtectionReader.track(box));
      }
      if (box.isUuid(ExtendedTypes.PIFF_TENC)) {
        return piff(scheme, box);
      }
    }
    if (scheme == 0 || (SCHEMES.contains(scheme) && scheme != PIFF)) {
      throw MediaFormatException.malformed("Box 'sinf' has no box 'tenc'.");
    }
    // PIFF can say it all in the fragments; another scheme is one that is not known here
    return new TrackEncryption(
        scheme, new SampleProtection(scheme != PIFF, 0, 0, 0, new byte[16], new byte[0]));
  }

  /** Its algorithm says what the scheme leaves open. */
  private static TrackEncryption piff(int scheme, Box tenc) throws MediaFormatException {
    SampleProtection protection = SampleProtectionReader.piff(tenc);
    int algorithm = SampleProtectionReader.piffAlgorithm(tenc);
    boolean isOpen = scheme == PIFF || scheme == 0;
    return new TrackEncryption(
        isOpen && algorithm != 0 ? algorithm == 1 ? CENC : CBC1 : scheme, protection);
  }
}
