package dev.millrace.hls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Walks through the attributes of a tag (RFC 8216 §4.2), and finds the place of each value in the
 * line. Reads what others write: blanks round names and commas, empty values, a quote that is not
 * closed (the value then reaches to the end). Used again for the next line; confined to one caller.
 */
final class AttributeList {
  private byte[] line = new byte[0];
  private int end;
  private int next;
  private int nameStart;
  private int nameEnd;
  private int valueStart;
  private int valueEnd;
  private boolean isQuoted;

  /**
   * Begins anew.
   *
   * @param from first byte after the tag's colon
   * @param to after the last byte, line end excluded
   */
  AttributeList of(byte[] text, int from, int to) {
    line = text;
    next = from;
    end = to;
    return this;
  }

  /** Moves to the next attribute; false if there is none. */
  boolean next() {
    while (next < end && (line[next] == ',' || isBlank(line[next]))) {
      next++;
    }
    if (next == end) {
      return false;
    }
    nameStart = next;
    while (next < end && line[next] != '=' && line[next] != ',') {
      next++;
    }
    nameEnd = next;
    while (nameEnd > nameStart && isBlank(line[nameEnd - 1])) {
      nameEnd--;
    }
    if (next < end && line[next] == '=') {
      next++;
      readValue();
    } else {
      isQuoted = false;
      valueStart = next;
      valueEnd = next;
    }
    return true;
  }

  private void readValue() {
    while (next < end && isBlank(line[next])) {
      next++;
    }
    isQuoted = next < end && line[next] == '"';
    valueStart = isQuoted ? next + 1 : next;
    next = valueStart;
    byte stop = (byte) (isQuoted ? '"' : ',');
    while (next < end && line[next] != stop) {
      next++;
    }
    valueEnd = next;
    if (isQuoted && next < end) {
      next++;
    }
    while (!isQuoted && valueEnd > valueStart && isBlank(line[valueEnd - 1])) {
      valueEnd--;
    }
  }

  private static boolean isBlank(byte character) {
    return character == ' ' || character == '\t';
  }

  /** Whether that is the name of the current attribute; names have one spelling. */
  boolean isNamed(String name) {
    if (nameEnd - nameStart != name.length()) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      if (line[nameStart + i] != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Of the name's first byte. */
  int nameStart() {
    return nameStart;
  }

  String name() {
    return new String(line, nameStart, nameEnd - nameStart, ISO_8859_1);
  }

  /** Without quotes. */
  String value() {
    return new String(line, valueStart, valueEnd - valueStart, UTF_8);
  }

  boolean isQuoted() {
    return isQuoted;
  }

  /** Of the value's first byte, after a quote. */
  int valueStart() {
    return valueStart;
  }

  /** After the value's last byte, before a quote. */
  int valueEnd() {
    return valueEnd;
  }
}
