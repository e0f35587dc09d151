package dev.millrace.testing;

/**
 * What a request asks of a file, RFC 9110 §14.2.
 *
 * @param from first byte to send
 * @param to after the last byte to send
 * @param isWhole no range was asked
 */
public record RangeAsked(long from, long to, boolean isWhole) {
  public static RangeAsked of(RecordedRequest request, long size) {
    String range = request.field("Range").orElse("");
    if (!range.startsWith("bytes=") || range.contains(",")) {
      return new RangeAsked(0, size, true);
    }
    int dash = range.indexOf('-');
    String first = range.substring("bytes=".length(), dash);
    String last = range.substring(dash + 1);
    if (first.isEmpty()) {
      return new RangeAsked(Math.max(0, size - Long.parseLong(last)), size, false);
    }
    long to = last.isEmpty() ? size : Math.min(size, Long.parseLong(last) + 1);
    return new RangeAsked(Long.parseLong(first), to, false);
  }

  public boolean isUnsatisfiable() {
    return !isWhole && from >= to;
  }
}
