package dev.millrace.hls;

import dev.millrace.stream.ByteBuilder;
import dev.millrace.stream.ByteSink;
import dev.millrace.stream.ByteTransform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalInt;

/**
 * Leaves out what stands before a transport stream, as {@link TransportStreamStart} finds it. Holds
 * the beginning until it is found, {@value TransportStreamStart#MAX_BYTES} bytes and one input at
 * most; then passes on what comes.
 */
public final class TransportStreamCut implements ByteTransform {
  private static final int OUTPUT_BYTES = 64 << 10;

  private final TransportStreamStart start = new TransportStreamStart();
  private final ByteBuilder held = new ByteBuilder(0);
  private boolean isFound;

  @Override
  public void accept(ByteBuffer input, ByteSink out) throws IOException {
    if (isFound) {
      out.put(input.slice());
    } else {
      held.append(input);
      look(false, out);
    }
    input.position(input.limit());
  }

  @Override
  public void finish(ByteSink out) throws IOException {
    if (!isFound) {
      look(true, out);
    }
  }

  private void look(boolean isAll, ByteSink out) throws IOException {
    ByteBuffer seen = ByteBuffer.wrap(held.array(), 0, held.length());
    OptionalInt cutBytes = start.cutBytes(seen, isAll);
    if (cutBytes.isEmpty()) {
      return;
    }
    isFound = true;
    for (int at = cutBytes.getAsInt(); at < seen.limit(); at += OUTPUT_BYTES) {
      out.put(seen.slice(at, Math.min(OUTPUT_BYTES, seen.limit() - at)));
    }
  }

  @Override
  public void close() {}
}
