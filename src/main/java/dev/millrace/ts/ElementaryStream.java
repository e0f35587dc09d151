package dev.millrace.ts;

import dev.millrace.mp4.Box;
import dev.millrace.mp4.FourCc;
import dev.millrace.mp4.SampleEntry;
import dev.millrace.mp4.Track;
import dev.millrace.stream.MediaFormatException;
import java.util.Optional;

/** A track in a transport stream: its packets, and how its samples look in them. */
final class ElementaryStream {
  private static final int VIDEO_FIELDS = 78;
  private static final int AUDIO_FIELDS = 28;

  /** Of QuickTime (version 1), and its boxes may stand in a {@code wave} box. */
  private static final int AUDIO_FIELDS_1 = 44;

  private static final int VIDEO_ID = 0xe0;
  private static final int AUDIO_ID = 0xc0;
  private static final int PRIVATE_ID = 0xbd;

  private final Track track;
  private final Codec codec;
  private final int pid;
  private int continuity;
  private boolean hasBegun;

  /**
   * What a codec is in a transport stream.
   *
   * @param streamType of its entry in the PMT (ISO/IEC 13818-1 table 2-34, ATSC A/52 annex A)
   * @param streamId of its PES packets (table 2-22)
   * @param registration of its descriptor; 0: none
   */
  record Codec(int streamType, int streamId, int registration, Framing framing) {
    boolean isVideo() {
      return streamId == VIDEO_ID;
    }
  }

  private ElementaryStream(Track track, Codec codec, int pid) {
    this.track = track;
    this.codec = codec;
    this.pid = pid;
  }

  /**
   * Of a track; absent if its first sample entry is of no codec that is known here.
   *
   * @param videoPid of its packets if it is video
   * @param otherPid of its packets if it is not
   * @throws MediaFormatException if the codec's configuration is missing or contradicts itself
   */
  static Optional<ElementaryStream> of(Track track, int videoPid, int otherPid)
      throws MediaFormatException {
    Optional<SampleEntry> entry = track.entry(1);
    if (entry.isEmpty()) {
      return Optional.empty();
    }
    return codec(entry.get())
        .map(codec -> new ElementaryStream(track, codec, codec.isVideo() ? videoPid : otherPid));
  }

  private static Optional<Codec> codec(SampleEntry entry) throws MediaFormatException {
    return switch (FourCc.text(entry.format())) {
      case "avc1", "avc3" ->
          Optional.of(video(0x1b, 0, NalUnitFraming.avc(child(entry, "avcC", VIDEO_FIELDS))));
      case "hvc1", "hev1" ->
          Optional.of(
              video(
                  0x24,
                  FourCc.of("HEVC"),
                  NalUnitFraming.hevc(child(entry, "hvcC", VIDEO_FIELDS))));
      case "mp4a" ->
          AdtsFraming.of(child(entry, "esds", audioFields(entry)))
              .map(framing -> new Codec(0x0f, AUDIO_ID, 0, framing));
      case "ac-3" ->
          Optional.of(new Codec(0x81, PRIVATE_ID, FourCc.of("AC-3"), Framing.unchanged()));
      case "ec-3" ->
          Optional.of(new Codec(0x87, PRIVATE_ID, FourCc.of("EAC3"), Framing.unchanged()));
      default -> Optional.empty();
    };
  }

  private static Codec video(int streamType, int registration, Framing framing) {
    return new Codec(streamType, VIDEO_ID, registration, framing);
  }

  private static int audioFields(SampleEntry entry) throws MediaFormatException {
    return entry.box().shortAt(8) == 1 ? AUDIO_FIELDS_1 : AUDIO_FIELDS;
  }

  private static Box child(SampleEntry entry, String type, int fields) throws MediaFormatException {
    Box box = entry.box();
    for (Box child : box.children(box.contentStart() + fields)) {
      if (child.type() == FourCc.of(type)) {
        return child;
      }
      if (child.type() == FourCc.of("wave")) {
        Optional<Box> inner = child.child(FourCc.of(type));
        if (inner.isPresent()) {
          return inner.get();
        }
      }
    }
    throw MediaFormatException.malformed(
        "Sample entry '" + FourCc.text(entry.format()) + "' has no box '" + type + "'.");
  }

  Track track() {
    return track;
  }

  Codec codec() {
    return codec;
  }

  int pid() {
    return pid;
  }

  /** Of its next packet, 0 to 15. */
  int nextContinuity() {
    int next = continuity;
    continuity = continuity + 1 & 15;
    return next;
  }

  /** Of the packet before; a packet without payload repeats it (§2.4.3.3). */
  int lastContinuity() {
    return continuity - 1 & 15;
  }

  /** Whether no packet has been written; from now on one has. */
  boolean begins() {
    boolean isFirst = !hasBegun;
    hasBegun = true;
    return isFirst;
  }
}
