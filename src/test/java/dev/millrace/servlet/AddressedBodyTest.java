package dev.millrace.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Chunkings;
import dev.millrace.testing.ScriptedSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.eclipse.jetty.io.Content;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AddressedBodyTest {
  private static final String BODY = "a={mediaflow_ip}&b=%7Bmediaflow_ip%7d{mediaflow_ip}&{media";
  private static final String IP = "2001:db8::1";

  private final CompletableFuture<String> address = new CompletableFuture<>();
  private final AtomicInteger asked = new AtomicInteger();
  private final ScriptedSource source = new ScriptedSource();

  private AddressedBody body(String begun, Content.Source rest) {
    return new AddressedBody(
        begun.getBytes(ISO_8859_1),
        rest,
        () -> {
          asked.incrementAndGet();
          return address;
        });
  }

  private static String readAll(Content.Source body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Content.Chunk chunk = body.read();
    while (chunk != null && !Content.Chunk.isFailure(chunk)) {
      while (chunk.hasRemaining()) {
        bytes.write(chunk.getByteBuffer().get());
      }
      chunk.release();
      chunk = chunk.isLast() ? null : body.read();
    }
    return bytes.toString(ISO_8859_1);
  }

  static Stream<List<byte[]>> chunkings() {
    return Chunkings.of(BODY.getBytes(ISO_8859_1));
  }

  @ParameterizedTest
  @MethodSource("chunkings")
  void replaces_howeverItIsCut(List<byte[]> chunks) {
    address.complete(IP);
    ScriptedSource whole = ScriptedSource.of(chunks.toArray(byte[][]::new));
    AddressedBody body = body("{media", whole);

    assertThat(readAll(body)).isEqualTo("{mediaa=" + IP + "&b=" + IP + IP + "&{media");
    assertThat(asked).hasValue(1);
    assertThat(whole.held()).isZero();
  }

  @Test
  void completesAPlaceholder_thatWasBegunBefore() {
    address.complete(IP);
    AddressedBody body = body("x{mediaf", source.addLast("low_ip}y"));

    assertThat(readAll(body)).isEqualTo("x" + IP + "y");
  }

  @Test
  void asksForTheAddressOnlyWhereItStands_andGoesOnWhenItIsKnown() {
    AddressedBody body = body("before", source.add(" {mediaflow_ip}").addLast(" after"));
    AtomicInteger calls = new AtomicInteger();
    assertThat(readAll(body)).isEqualTo("before ");
    assertThat(asked).hasValue(1);
    body.demand(calls::incrementAndGet);
    assertThat(calls).hasValue(0);

    address.complete(IP);

    assertThat(calls).hasValue(1);
    assertThat(readAll(body)).isEqualTo(IP + " after");
  }

  @Test
  void asksNobody_withoutAPlaceholder() {
    assertThat(readAll(body("{mediaflow", source.addLast("_ip")))).isEqualTo("{mediaflow_ip");
    assertThat(asked).hasValue(0);
  }

  @Test
  void fails_whenTheAddressIsNotKnown() {
    address.completeExceptionally(new IOException("no"));
    AddressedBody body = body("{mediaflow_ip}", source);

    assertThat(body.read().getFailure())
        .isInstanceOfSatisfying(
            ForwardException.class, e -> assertThat(e.reason()).isEqualTo("public_ip_unknown"));
    assertThat(source.failure()).isNotNull();
  }

  @Test
  void failsWithItsSource() {
    AddressedBody body = body("", source);
    assertThat(body.read()).isNull();
    IOException failure = new IOException("gone");
    source.fail(failure);

    assertThat(body.read().getFailure()).isSameAs(failure);
    assertThat(body.getLength()).isEqualTo(-1);
  }
}
