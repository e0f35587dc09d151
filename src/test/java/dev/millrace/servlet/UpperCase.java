package dev.millrace.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.ee11.proxy.AsyncMiddleManServlet.ContentTransformer;
import org.eclipse.jetty.util.component.Destroyable;

/** An operator's filter as operators write them: found by its service file, asked for by its id. */
public final class UpperCase implements TransformerProvider {
  /** Transformers that were made and not destroyed. */
  static final AtomicInteger LIVE = new AtomicInteger();

  @Override
  public String id() {
    return "upper-case";
  }

  @Override
  public ContentTransformer newTransformer(HttpServletRequest clientRequest) {
    LIVE.incrementAndGet();
    return new Letters();
  }

  private static final class Letters implements ContentTransformer, Destroyable {
    @Override
    public void transform(ByteBuffer input, boolean finished, List<ByteBuffer> output) {
      ByteBuffer upper = ByteBuffer.allocate(input.remaining() + 1);
      while (input.hasRemaining()) {
        byte b = input.get();
        upper.put((byte) (b >= 'a' && b <= 'z' ? b - 'a' + 'A' : b));
      }
      output.add((finished ? upper.put((byte) '.') : upper).flip());
    }

    @Override
    public void destroy() {
      LIVE.decrementAndGet();
    }
  }
}
