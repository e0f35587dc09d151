package dev.millrace.dash;

/**
 * A pattern of addresses (ISO/IEC 23009-1 §5.3.9.4.4), compiled once and expanded often. What does
 * not vary between segments ({@code $RepresentationID$}, {@code $Bandwidth$}, {@code $$}) is
 * already replaced.
 */
public final class UrlTemplate {
  private final String text;

  UrlTemplate(String text) {
    this.text = text;
  }

  /** The address of one segment. */
  public String expand(long number, long time) {
    return text.replace("$Number$", Long.toString(number)).replace("$Time$", Long.toString(time));
  }

  @Override
  public String toString() {
    return text;
  }
}
