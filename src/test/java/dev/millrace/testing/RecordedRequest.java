package dev.millrace.testing;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One request as an origin received it, RFC 9112 §3.
 *
 * @param requestLine without its line end, byte for byte (ISO-8859-1)
 * @param fieldLines header lines in order, without line ends
 * @param connection number of the connection at this origin, from 1
 * @param nanoTime when the last line of the head had been read
 */
public record RecordedRequest(
    String requestLine, List<String> fieldLines, int connection, long nanoTime) {
  public RecordedRequest {
    fieldLines = List.copyOf(fieldLines);
  }

  public String method() {
    return requestLine.substring(0, requestLine.indexOf(' '));
  }

  /** Everything between the method and the version, untouched. */
  public String target() {
    return requestLine.substring(requestLine.indexOf(' ') + 1, requestLine.lastIndexOf(' '));
  }

  /** The target up to its query. */
  public String path() {
    int query = target().indexOf('?');
    return query < 0 ? target() : target().substring(0, query);
  }

  /** Value of the first such field. */
  public Optional<String> field(String name) {
    return FieldLines.first(fieldLines, name);
  }

  /** Names of all fields, lower case, in order. */
  public List<String> fieldNames() {
    return fieldLines.stream()
        .map(line -> line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT))
        .toList();
  }
}
