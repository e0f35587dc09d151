package dev.millrace.hls;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A segment as a player sees it: an own small reading of media playlists, by which the filters are
 * judged.
 *
 * @param keys in force, each with its IV, whether that is said or the segment's number
 * @param section the initialization section in force, with the keys that apply to it
 * @param range absolute; empty if it is the whole resource
 * @param isNewTimeline whether a discontinuity comes before it
 */
record Played(
    String address,
    BigDecimal from,
    BigDecimal to,
    String keys,
    String section,
    String range,
    boolean isNewTimeline) {
  private static final Pattern FORMAT = Pattern.compile("KEYFORMAT=\"([^\"]*)\"");

  static List<Played> in(String playlist) {
    List<Played> segments = new ArrayList<>();
    Map<String, String> keys = new LinkedHashMap<>();
    String section = "";
    long number = 0;
    long next = 0;
    String range = "";
    boolean isNewTimeline = false;
    BigDecimal from = BigDecimal.ZERO;
    BigDecimal duration = BigDecimal.ZERO;
    for (String raw : playlist.split("\n", -1)) {
      String line = raw.strip();
      String value = line.substring(line.indexOf(':') + 1);
      if (line.startsWith("#EXT-X-MEDIA-SEQUENCE:")) {
        number = Long.parseLong(value);
      } else if (line.startsWith("#EXTINF:")) {
        duration = new BigDecimal(value.substring(0, value.indexOf(',')));
      } else if (line.startsWith("#EXT-X-DISCONTINUITY") && !line.contains("SEQUENCE")) {
        isNewTimeline = true;
      } else if (line.startsWith("#EXT-X-KEY:")) {
        addKey(line, keys);
      } else if (line.startsWith("#EXT-X-MAP:")) {
        section = line + effective(keys, number);
      } else if (line.startsWith("#EXT-X-BYTERANGE:")) {
        int at = value.indexOf('@');
        long length = Long.parseLong(at < 0 ? value : value.substring(0, at));
        long offset = at < 0 ? next : Long.parseLong(value.substring(at + 1));
        next = offset + length;
        range = length + "@" + offset;
      } else if (!line.isEmpty() && !line.startsWith("#")) {
        BigDecimal to = from.add(duration);
        segments.add(
            new Played(line, from, to, effective(keys, number), section, range, isNewTimeline));
        from = to;
        duration = BigDecimal.ZERO;
        range = "";
        isNewTimeline = false;
        number++;
      }
    }
    return segments;
  }

  private static void addKey(String line, Map<String, String> keys) {
    if (line.contains("METHOD=NONE")) {
      keys.clear();
    } else {
      Matcher format = FORMAT.matcher(line);
      keys.put(format.find() ? format.group(1) : "identity", line);
    }
  }

  private static String effective(Map<String, String> keys, long number) {
    TreeSet<String> lines = new TreeSet<>();
    keys.forEach(
        (format, line) ->
            lines.add(
                format.equals("identity") && !line.contains("IV=")
                    ? line + ",IV=0x%032x".formatted(number)
                    : line));
    return lines.toString();
  }

  boolean overlaps(BigDecimal start, BigDecimal end) {
    return from.compareTo(end) < 0 && to.compareTo(start) > 0;
  }

  /** Without what a filter may change. */
  Played atAnyTime() {
    return new Played(address, BigDecimal.ZERO, BigDecimal.ZERO, keys, section, range, false);
  }
}
