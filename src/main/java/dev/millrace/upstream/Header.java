package dev.millrace.upstream;

import static java.util.Objects.requireNonNull;

/**
 * One HTTP field line (RFC 9110 §5).
 *
 * @param name in any case, never blank
 * @param value without surrounding white space; may be empty
 */
public record Header(String name, String value) {
  public Header {
    requireNonNull(name, "name");
    requireNonNull(value, "value");
  }

  /** Field names compare without case (RFC 9110 §5.1). */
  public boolean is(String otherName) {
    return name.equalsIgnoreCase(otherName);
  }
}
