package dev.millrace.hls;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Follows {@code EXT-X-PROGRAM-DATE-TIME} (RFC 8216bis §4.4.4.6): the date of a segment that has
 * none of its own, from the one before it, unless there is a discontinuity between them.
 */
final class ProgramClock {
  private static final DateTimeFormatter READ =
      new DateTimeFormatterBuilder()
          .parseCaseInsensitive()
          .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
          .appendPattern("[XXX][XX][X]")
          .toFormatter(Locale.ROOT);

  private static final DateTimeFormatter WRITE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSXXX", Locale.ROOT);

  private @Nullable OffsetDateTime date;
  private @Nullable OffsetDateTime own;
  private boolean isBroken;

  /** The current segment has this date. */
  void read(String value) {
    try {
      own = OffsetDateTime.parse(value, READ);
    } catch (DateTimeException e) {
      own = null;
      isBroken = true; // not to be told from here on
    }
  }

  /** The current segment comes after a discontinuity. */
  void breakOff() {
    isBroken = true;
  }

  void endSegment(long durationNanos) {
    OffsetDateTime current = own != null ? own : isBroken ? null : date;
    try {
      date = current == null ? null : current.plusNanos(durationNanos);
    } catch (DateTimeException e) {
      date = null; // beyond what years there are
    }
    own = null;
    isBroken = false;
  }

  /** Of the segment that begins. */
  Optional<String> next() {
    return Optional.ofNullable(date).map(WRITE::format);
  }
}
