package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;

/** The media type that the first bytes of a body tell; reads without moving the buffer. */
final class MediaSignature {
  private static final int TS_PACKET_BYTES = 188;
  private static final int TS_SYNC = 0x47;
  private static final int DOCTYPE_WINDOW = 64;
  private static final Set<String> FRAGMENT_BOXES = Set.of("styp", "moof", "sidx");

  private final ByteBuffer bytes;

  private MediaSignature(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  /** Absent if they are none of those we know, or too few. */
  static Optional<MediaType> of(ByteBuffer firstBytes) {
    return new MediaSignature(firstBytes.slice()).type();
  }

  private Optional<MediaType> type() {
    if (isTransportStream()) {
      return Optional.of(MediaType.MPEG_TS);
    }
    if (unsigned(0) == 0x1a && unsigned(1) == 0x45 && unsigned(2) == 0xdf && unsigned(3) == 0xa3) {
      return matroska();
    }
    if (unsigned(0) == 0 && unsigned(1) == 0 && unsigned(2) == 1 && unsigned(3) == 0xba) {
      return Optional.of(MediaType.MPEG_PS);
    }
    return isoBaseMedia().or(this::ofText).or(this::audioFrame);
  }

  /** ISO/IEC 13818-1 §2.4.3.2: the sync byte at every packet, as far as we can see. */
  private boolean isTransportStream() {
    return unsigned(0) == TS_SYNC
        && unsigned(TS_PACKET_BYTES) == TS_SYNC
        && (bytes.limit() <= 2 * TS_PACKET_BYTES || unsigned(2 * TS_PACKET_BYTES) == TS_SYNC);
  }

  /** RFC 8794 §11.2: the document type stands in the EBML header. */
  private Optional<MediaType> matroska() {
    String header = text(0, DOCTYPE_WINDOW);
    return header.contains("webm")
        ? Optional.of(MediaType.WEBM)
        : header.contains("matroska") ? Optional.of(MediaType.MATROSKA) : Optional.empty();
  }

  /** ISO/IEC 14496-12 §4.3: the major brand of {@code ftyp}. */
  private Optional<MediaType> isoBaseMedia() {
    String box = text(4, 4);
    if (FRAGMENT_BOXES.contains(box)) {
      return Optional.of(MediaType.M4S);
    }
    if (!box.equals("ftyp")) {
      return Optional.empty();
    }
    String brand = text(8, 4);
    if (brand.equals("qt  ")) {
      return Optional.of(MediaType.QUICKTIME);
    }
    return Optional.of(
        brand.startsWith("M4A") || brand.startsWith("M4B") ? MediaType.M4A : MediaType.MP4);
  }

  private Optional<MediaType> ofText() {
    if (text(0, 4).equals("OggS")) {
      return Optional.of(MediaType.OGG);
    }
    if (text(0, 4).equals("fLaC")) {
      return Optional.of(MediaType.FLAC);
    }
    if (text(0, 3).equals("FLV") && unsigned(3) == 1) {
      return Optional.of(MediaType.FLV);
    }
    if (text(0, 4).equals("RIFF")) {
      return riff();
    }
    int start = text(0, 3).equals("\u00ef\u00bb\u00bf") ? 3 : 0;
    if (text(start, 7).equals("#EXTM3U")) {
      return Optional.of(MediaType.HLS);
    }
    return text(start, 6).equals("WEBVTT") ? Optional.of(MediaType.WEBVTT) : Optional.empty();
  }

  private Optional<MediaType> riff() {
    return switch (text(8, 4)) {
      case "WAVE" -> Optional.of(MediaType.WAV);
      case "AVI " -> Optional.of(MediaType.AVI);
      default -> Optional.empty();
    };
  }

  /** An ID3 tag, an ADTS header (ISO/IEC 14496-3 §1.A.2.2), or a layer III frame. */
  private Optional<MediaType> audioFrame() {
    if (text(0, 3).equals("ID3")) {
      return Optional.of(MediaType.MP3);
    }
    if (unsigned(0) != 0xff) {
      return Optional.empty();
    }
    int second = unsigned(1);
    if ((second & 0xf6) == 0xf0) {
      return Optional.of(MediaType.AAC);
    }
    boolean isLayerThree = (second & 0xe6) == 0xe2 && (second & 0x18) != 0x08;
    boolean hasRates = (unsigned(2) & 0xf0) != 0xf0 && (unsigned(2) & 0x0c) != 0x0c;
    return isLayerThree && hasRates ? Optional.of(MediaType.MP3) : Optional.empty();
  }

  /** −1 beyond the end. */
  private int unsigned(int at) {
    return at < bytes.limit() ? bytes.get(at) & 0xff : -1;
  }

  /** Byte for character; shorter at the end. */
  private String text(int at, int length) {
    byte[] window = new byte[Math.max(0, Math.min(length, bytes.limit() - at))];
    if (window.length > 0) {
      bytes.get(at, window);
    }
    return new String(window, ISO_8859_1);
  }
}
