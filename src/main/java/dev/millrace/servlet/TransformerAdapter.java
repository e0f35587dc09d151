package dev.millrace.servlet;

import dev.millrace.stream.ByteSink;
import dev.millrace.stream.ByteTransform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.ee11.proxy.AsyncMiddleManServlet.ContentTransformer;
import org.eclipse.jetty.util.component.Destroyable;

/** Jetty's {@link ContentTransformer} as one of our transforms. */
final class TransformerAdapter implements ByteTransform {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final ContentTransformer transformer;

  TransformerAdapter(ContentTransformer transformer) {
    this.transformer = transformer;
  }

  @Override
  public void accept(ByteBuffer input, ByteSink out) throws IOException {
    transform(input, false, out);
  }

  @Override
  public void finish(ByteSink out) throws IOException {
    transform(NOTHING.duplicate(), true, out);
  }

  private void transform(ByteBuffer input, boolean isFinished, ByteSink out) throws IOException {
    List<ByteBuffer> output = new ArrayList<>();
    transformer.transform(input, isFinished, output);
    for (ByteBuffer buffer : output) {
      out.put(buffer);
    }
  }

  @Override
  public void close() {
    if (transformer instanceof Destroyable destroyable) {
      destroyable.destroy();
    }
  }
}
