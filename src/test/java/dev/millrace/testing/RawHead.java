package dev.millrace.testing;

import java.util.List;
import java.util.Optional;

/**
 * Status line and header lines of an answer, RFC 9112 §4.
 *
 * @param statusLine without its line end
 * @param fieldLines in order, without line ends
 */
public record RawHead(String statusLine, List<String> fieldLines) {
  public RawHead {
    fieldLines = List.copyOf(fieldLines);
  }

  public int status() {
    return Integer.parseInt(statusLine.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length()));
  }

  /** Value of the first such field. */
  public Optional<String> field(String name) {
    return FieldLines.first(fieldLines, name);
  }

  /** Values of all such fields, in order. */
  public List<String> fields(String name) {
    return FieldLines.all(fieldLines, name);
  }

  boolean isChunked() {
    return field("Transfer-Encoding").filter("chunked"::equalsIgnoreCase).isPresent();
  }
}
