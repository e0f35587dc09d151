package dev.millrace.servlet;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.ee11.proxy.AsyncMiddleManServlet.ContentTransformer;
import org.eclipse.jetty.util.component.Destroyable;
import org.junit.jupiter.api.Test;

class TransformerAdapterTest {
  private final List<String> output = new ArrayList<>();
  private final Recording transformer = new Recording();
  private final TransformerAdapter adapter = new TransformerAdapter(transformer);

  private void put(ByteBuffer buffer) {
    output.add(US_ASCII.decode(buffer).toString());
  }

  @Test
  void passesInputOnAndOutputBack_inOrder() throws IOException {
    adapter.accept(ByteBuffer.wrap("ab".getBytes(US_ASCII)), this::put);
    adapter.accept(ByteBuffer.wrap("c".getBytes(US_ASCII)), this::put);

    assertThat(output).containsExactly("<", "ab", "<", "c");
    assertThat(transformer.finishes).isZero();
  }

  @Test
  void finishesOnce_withEmptyInput() throws IOException {
    adapter.finish(this::put);

    assertThat(output).containsExactly("<", "");
    assertThat(transformer.finishes).isEqualTo(1);
  }

  @Test
  void destroysTheTransformer() {
    adapter.close();

    assertThat(transformer.isDestroyed).isTrue();
  }

  @Test
  void needsNoDestroyable() {
    TransformerAdapter plain = new TransformerAdapter(ContentTransformer.IDENTITY);

    plain.close();
  }

  private static final class Recording implements ContentTransformer, Destroyable {
    private int finishes;
    private boolean isDestroyed;

    @Override
    public void transform(ByteBuffer input, boolean finished, List<ByteBuffer> out) {
      finishes += finished ? 1 : 0;
      out.add(ByteBuffer.wrap(new byte[] {'<'}));
      out.add(input.slice());
      input.position(input.limit());
    }

    @Override
    public void destroy() {
      isDestroyed = true;
    }
  }
}
