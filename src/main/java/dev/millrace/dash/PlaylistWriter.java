package dev.millrace.dash;

import dev.millrace.dash.Addressing.Part;
import dev.millrace.dash.PlaylistLinks.InitializationLink;
import dev.millrace.dash.PlaylistLinks.SegmentLink;
import dev.millrace.stream.ByteBuilder;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Writes the lines of a media playlist (contract §1.6) piece by piece. Confined to one caller and
 * one playlist.
 */
final class PlaylistWriter {
  private static final int VERSION = 6;
  private static final int VERSION_OF_TRANSPORT_STREAMS = 3;
  private static final int SEGMENT_BYTES = 300;

  /** {@code EXT-X-GAP} (RFC 8216bis §4.4.4.7) asks for it. */
  private static final int VERSION_WITH_GAPS = 8;

  private static final double MAX_OFFSET_SECONDS = 1e9;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final StringBuilder text = new StringBuilder("#EXTM3U\n#EXT-X-VERSION:");
  private final Presentation presentation;
  private final List<ListedSegment> segments;
  private final Mpd mpd;
  private final PlaylistLinks links;
  private final boolean isTransportStream;
  private Optional<Profile.InPeriod> member = Optional.empty();
  private Optional<Part> initialization = Optional.empty();
  private Optional<Shift> shift = Optional.empty();
  private Optional<Part> map = Optional.empty();
  private int next;
  private boolean isEnded;

  /**
   * @param isTransportStream whether its segments lead to MPEG-TS, and no map is needed
   */
  PlaylistWriter(
      Presentation presentation,
      List<ListedSegment> segments,
      PlaylistLinks links,
      boolean isTransportStream) {
    boolean hasGaps = segments.stream().anyMatch(ListedSegment::isMissing);
    int version = isTransportStream ? VERSION_OF_TRANSPORT_STREAMS : VERSION;
    text.append(hasGaps ? VERSION_WITH_GAPS : version);
    this.isTransportStream = isTransportStream;
    this.segments = segments;
    this.presentation = presentation;
    this.mpd = presentation.mpd();
    this.links = links;
  }

  void line(String line) {
    text.append('\n').append(line);
  }

  /** Where players begin; absent: no line. */
  void start(OptionalDouble seconds) {
    if (seconds.isPresent()) {
      double within =
          Math.max(-MAX_OFFSET_SECONDS, Math.min(MAX_OFFSET_SECONDS, seconds.getAsDouble()));
      BigDecimal offset = BigDecimal.valueOf(within).setScale(1, RoundingMode.HALF_UP);
      String precise = isTransportStream ? "NO" : "YES";
      line("#EXT-X-START:TIME-OFFSET=" + offset.toPlainString() + ",PRECISE=" + precise);
    }
  }

  void targetDuration(long seconds) {
    line("#EXT-X-TARGETDURATION:" + seconds);
  }

  /** Nothing will follow: the last line says so. */
  void end() {
    isEnded = true;
  }

  /**
   * Appends whole lines until there are so many bytes, or all is written.
   *
   * @return whether there is more
   */
  boolean write(ByteBuilder out, int enoughBytes) {
    flush(out);
    while (next < segments.size() && out.length() < enoughBytes) {
      add(segments.get(next++));
      flush(out);
    }
    if (isEnded && next == segments.size()) {
      line("#EXT-X-ENDLIST");
      flush(out);
    }
    return next < segments.size();
  }

  private void flush(ByteBuilder out) {
    out.append(text.toString());
    text.setLength(0);
  }

  private void add(ListedSegment segment) {
    if (!segment.isMissing() && !member.equals(Optional.of(segment.member()))) {
      enter(segment.member());
    }
    if (segment.isMissing()) {
      writeMissing(segment);
    } else {
      write(segment);
    }
  }

  /** What the addresses of its segments and they themselves take, in bytes. */
  long heldBytes() {
    long bytes = 0;
    for (ListedSegment segment : segments) {
      bytes += SEGMENT_BYTES + segment.segment().part().url().length();
    }
    return bytes;
  }

  private void enter(Profile.InPeriod next) {
    member = Optional.of(next);
    boolean isText = Renditions.isText(next.representation());
    initialization = isText ? Optional.empty() : presentation.initialization(next.representation());
    shift = isText ? Optional.empty() : Shift.of(next.period(), next.representation().addressing());
  }

  /** Its address is never asked for, but must be there. */
  private void writeMissing(ListedSegment listed) {
    if (listed.isDiscontinuous()) {
      line("#EXT-X-DISCONTINUITY");
    }
    line("#EXT-X-GAP");
    duration(listed);
    line("gap");
  }

  private void duration(ListedSegment listed) {
    if (mpd.isDynamic() && !isTransportStream) {
      mpd.availabilityStartTime().ifPresent(epoch -> programDateTime(epoch, listed));
    }
    line("#EXTINF:" + BigDecimal.valueOf(listed.millis(), 3).toPlainString() + ",");
  }

  private void write(ListedSegment listed) {
    if (listed.isDiscontinuous()) {
      line("#EXT-X-DISCONTINUITY");
    }
    String mimeType = listed.member().representation().mimeType();
    if (initialization.isPresent() && !isTransportStream && !initialization.equals(map)) {
      InitializationLink link =
          new InitializationLink(initialization.get(), mimeType, mpd.isDynamic());
      line("#EXT-X-MAP:URI=\"" + links.initialization(link) + '"');
      map = initialization;
    }
    duration(listed);
    line(
        links.segment(
            new SegmentLink(
                listed.segment().part(),
                initialization,
                mimeType,
                mpd.isDynamic(),
                shift,
                isTransportStream)));
  }

  private void programDateTime(Instant epoch, ListedSegment listed) {
    Instant time = epoch.plusMillis(MediaTime.millis(listed.startNanos()));
    line("#EXT-X-PROGRAM-DATE-TIME:" + TIME.format(time));
  }
}
