package dev.millrace.dash;

import java.util.Arrays;
import java.util.OptionalLong;
import javax.xml.stream.XMLStreamReader;

/** Collects the {@code S} elements of one {@code SegmentTimeline}. */
final class TimelineEntries {
  private static final int FIELDS = 5;
  private long[] fields = new long[16 * FIELDS];
  private int length;

  /** The element that the reader is at; one without a readable {@code @d} is left out. */
  void add(XMLStreamReader reader) {
    long[] entry = {-1, -1, 0, -1, 1};
    for (int i = 0; i < reader.getAttributeCount(); i++) {
      int field = field(reader.getAttributeLocalName(i));
      String text = reader.getAttributeValue(i);
      OptionalLong value = field == 2 ? Lexical.integerOf(text) : Lexical.unsigned(text);
      if (field >= 0 && value.isPresent()) {
        entry[field] = value.getAsLong();
      }
    }
    if (entry[1] < 0) {
      return;
    }
    entry[2] = Math.max(-1, entry[2]);
    entry[4] = Math.max(1, Math.min(entry[4], SegmentTimeline.MAX_SEQUENCE));
    if (length == fields.length) {
      fields = Arrays.copyOf(fields, 2 * length);
    }
    System.arraycopy(entry, 0, fields, length, FIELDS);
    length += FIELDS;
  }

  private static int field(String name) {
    return switch (name) {
      case "t" -> 0;
      case "d" -> 1;
      case "r" -> 2;
      case "n" -> 3;
      case "k" -> 4;
      default -> -1;
    };
  }

  SegmentTimeline timeline() {
    return new SegmentTimeline(column(0), column(1), column(2), column(3), column(4));
  }

  private long[] column(int field) {
    long[] column = new long[length / FIELDS];
    for (int i = 0; i < column.length; i++) {
      column[i] = fields[i * FIELDS + field];
    }
    return column;
  }
}
