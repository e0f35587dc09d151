package dev.millrace.hls;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.stream.ByteBuilder;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * Reads a playlist line by line, and says what each line is (RFC 8216bis §4.1). Leaves a byte order
 * mark and blanks round a line aside. Of a line longer than {@link #MAX_BYTES} only the kind is
 * known: it has no value. Memory: the longest line so far. Confined to one caller.
 */
final class PlaylistLines {
  /** Longest line that is read, in bytes, with its end. */
  static final int MAX_BYTES = 64 << 10;

  private final PlaylistText.Cursor cursor;
  private final ByteBuilder line = new ByteBuilder(512);
  private final AttributeList attributes = new AttributeList();
  private int from;
  private int start;
  private int end;
  private boolean isWhole;
  private LineKind kind = LineKind.BLANK;

  PlaylistLines(PlaylistText text) {
    cursor = text.cursor();
  }

  /** Moves to the next line; false if there is none. */
  boolean next() {
    from = cursor.position();
    int length = cursor.readLine(line.clear(), MAX_BYTES);
    isWhole = length == line.length();
    start = from == 0 && hasByteOrderMark() ? 3 : 0;
    end = line.length();
    while (start < end && line.at(start) >= 0 && line.at(start) <= ' ') {
      start++;
    }
    while (end > start && line.at(end - 1) >= 0 && line.at(end - 1) <= ' ') {
      end--;
    }
    kind = readKind();
    return length > 0;
  }

  private boolean hasByteOrderMark() {
    return line.length() >= 3
        && line.at(0) == (byte) 0xef
        && line.at(1) == (byte) 0xbb
        && line.at(2) == (byte) 0xbf;
  }

  private LineKind readKind() {
    if (start == end) {
      return isWhole ? LineKind.BLANK : LineKind.ADDRESS;
    }
    if (line.at(start) != '#') {
      return LineKind.ADDRESS;
    }
    return LineKind.ofTag(line.array(), start + 1, end);
  }

  LineKind kind() {
    return kind;
  }

  /** Offset of the line. */
  int from() {
    return from;
  }

  /** Offset after the line and its end. */
  int to() {
    return cursor.position();
  }

  /** What follows the tag's colon; empty if nothing does. */
  String value() {
    int value = Math.min(end, start + kind.valueOffset());
    return isWhole ? new String(line.array(), value, end - value, UTF_8).strip() : "";
  }

  /** Of the tag; valid until the next line. */
  AttributeList attributes() {
    return attributes.of(
        line.array(), isWhole ? Math.min(end, start + kind.valueOffset()) : end, end);
  }

  /** Without blanks round it and without its end; empty of a line that is too long. */
  String text() {
    return isWhole ? new String(line.array(), start, end - start, UTF_8) : "";
  }

  /** The value as a whole number; absent if it is none of up to 18 digits. */
  OptionalLong number() {
    String value = value();
    boolean isNumber = !value.isEmpty() && value.length() <= 18;
    return isNumber && value.chars().allMatch(c -> c >= '0' && c <= '9')
        ? OptionalLong.of(Long.parseLong(value))
        : OptionalLong.empty();
  }

  /** The value of an attribute; empty if absent. */
  String attribute(String name) {
    AttributeList list = attributes();
    while (list.next()) {
      if (list.isNamed(name)) {
        return list.value();
      }
    }
    return "";
  }

  /** The tag with those of its attributes that are wanted; empty if there are none. */
  String withAttributes(Predicate<String> isWanted) {
    StringBuilder text = new StringBuilder();
    AttributeList list = attributes();
    while (list.next()) {
      if (isWanted.test(list.name())) {
        String quote = list.isQuoted() ? "\"" : "";
        text.append(text.length() == 0 ? "" : ",").append(list.name());
        text.append('=').append(quote).append(list.value()).append(quote);
      }
    }
    return text.length() == 0 ? "" : kind.line(text.toString());
  }

  /** The line's end: CRLF or LF; LF also of the last line that has none. */
  String lineEnd() {
    int length = line.length();
    boolean isCrLf = isWhole && length > 1 && line.at(length - 2) == '\r';
    return isCrLf && line.at(length - 1) == '\n' ? "\r\n" : "\n";
  }
}
