package dev.millrace.testing;

/** A whole answer whose body was compared with {@link OffsetBytes} instead of kept. */
public record CountedAnswer(RawHead head, CountedBody body) {
  public int status() {
    return head.status();
  }
}
