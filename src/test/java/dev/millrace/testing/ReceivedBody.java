package dev.millrace.testing;

/** A body that was kept, and how it ended. */
public final class ReceivedBody {
  private final byte[] bytes;
  private final BodyEnd end;

  ReceivedBody(byte[] bytes, BodyEnd end) {
    this.bytes = bytes;
    this.end = end;
  }

  /** The bytes received, not a copy. */
  public byte[] bytes() {
    return bytes;
  }

  public BodyEnd end() {
    return end;
  }
}
