package dev.millrace.testing;

import java.io.IOException;

/** Content being sent by a thread of its own, as fast as it is taken. */
public final class Upload {
  private static final int STEP = 100_000;

  private final RawHttp client;
  private final long length;
  private volatile long sentBytes;
  private volatile long lastNanos = System.nanoTime();

  private Upload(RawHttp client, long length) {
    this.client = client;
    this.length = length;
  }

  /** Begins to send {@link OffsetBytes} of that length. */
  public static Upload begin(RawHttp client, long length) {
    Upload upload = new Upload(client, length);
    Thread thread = new Thread(upload::send, "upload");
    thread.setDaemon(true);
    thread.start();
    return upload;
  }

  public long sentBytes() {
    return sentBytes;
  }

  /** For how long nothing has been taken. */
  public long heldBackNanos() {
    return System.nanoTime() - lastNanos;
  }

  private void send() {
    try {
      for (long at = 0; at < length; at = sentBytes) {
        long to = Math.min(length, at + STEP);
        ForwardClient.sendOffsets(client, at, to);
        lastNanos = System.nanoTime();
        sentBytes = to;
      }
    } catch (IOException refused) {
      // how much was sent tells
    }
  }
}
