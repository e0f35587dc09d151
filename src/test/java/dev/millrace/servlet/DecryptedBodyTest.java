package dev.millrace.servlet;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cenc.CencDecryptor;
import dev.millrace.cenc.DecryptionOptions;
import dev.millrace.mp4.InitSegment;
import dev.millrace.proxy.KeyParameters;
import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.MemoryBudget;
import dev.millrace.testing.ScriptedSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.eclipse.jetty.io.Content;
import org.junit.jupiter.api.Test;

class DecryptedBodyTest {
  private static final int STEP = 64 << 10;
  private static final String KEY = "00112233445566778899aabbccddeeff";

  private final MemoryBudget usual = new MemoryBudget(1 << 20);
  private final MemoryBudget beyond = new MemoryBudget(1 << 20);
  private final TextHold memory = new TextHold(usual, beyond);
  private final ScriptedSource source = new ScriptedSource();
  private final DecryptedBody body = body(0);

  private DecryptedBody body(int alreadyReserved) {
    try {
      DecryptionOptions options = DecryptionOptions.of(KeyParameters.of("", KEY).ring());
      return new DecryptedBody(
          source, new CencDecryptor(options, InitSegment.EMPTY), memory, alreadyReserved);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Header and zeros. */
  private static byte[] box(String type, int size) {
    ByteBuffer box = ByteBuffer.allocate(size).putInt(size);
    return box.put(type.getBytes(US_ASCII)).array();
  }

  private static byte[] fragment() {
    ByteBuffer moof = ByteBuffer.wrap(box("moof", 24));
    moof.position(8).put(box("mfhd", 16));
    return moof.array();
  }

  private byte[] readAll() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (Content.Chunk chunk = body.read();
        chunk != null && !Content.Chunk.isFailure(chunk);
        chunk = body.read()) {
      byte[] bytes = new byte[chunk.remaining()];
      chunk.getByteBuffer().get(bytes);
      all.writeBytes(bytes);
      chunk.release();
      if (chunk.isLast()) {
        break;
      }
    }
    return all.toByteArray();
  }

  @Test
  void holdsWhatStandsBeforeTheFirstFragment() {
    source.add(box("styp", 100), false);
    assertThat(body.read()).isNull();
    byte[] fragment = fragment();
    source.add(Arrays.copyOf(fragment, 23), false);
    assertThat(body.read()).isNull();
    source.add(new byte[1], false);
    assertThat(readAll()).hasSize(124).startsWith(box("styp", 100));
    source.add(box("mdat", 8), false).end();
    assertThat(readAll()).hasSize(8);
    assertThat(source.held()).isZero();
  }

  @Test
  void holdsNoMoreThan64KiB() {
    source.add(Arrays.copyOf(box("free", 1 << 20), STEP - 1), false);
    assertThat(body.read()).isNull();
    source.add(new byte[(1 << 20) - STEP + 1], false);
    assertThat(readAll()).hasSize(1 << 20);
    assertThat(source.held()).isZero();
  }

  @Test
  void givesNothing_whenItFailsBefore() {
    source.add(box("styp", 100), false).add(box("moof", 8), false);
    source.add(new byte[] {0, 0, 0, 3, 'm', 'd', 'a', 't'}, false);
    Content.Chunk end = body.read();
    while (end != null && !Content.Chunk.isFailure(end)) {
      end.release();
      end = body.read();
    }
    assertThat(Content.Chunk.isFailure(end)).isTrue();
    assertThat(source.failure()).isNotNull();
    assertThat(source.held()).isZero();
  }

  @Test
  void reservesWhatTheDecryptorHolds_andGivesNothingBackEarly() {
    byte[] start = Arrays.copyOf(box("moof", 1 << 20), 200_000);
    for (int at = 0; at < start.length; at += 20_000) {
      source.add(Arrays.copyOfRange(start, at, at + 20_000), false);
    }
    assertThat(body.read()).isNull();
    assertThat(usual.reservedBytes()).isBetween(200_000L, 600_000L);
    memory.close();
    assertThat(usual.reservedBytes()).isZero();
  }

  @Test
  void failsWith503_whenThereIsNoMemoryForAMoof() throws ExchangeException {
    usual.reserve((1 << 20) - STEP);
    byte[] start = Arrays.copyOf(box("moof", 1 << 20), 200_000);
    for (int at = 0; at < start.length; at += 20_000) {
      source.add(Arrays.copyOfRange(start, at, at + 20_000), false);
    }
    Content.Chunk end = body.read();
    assertThat(end.getFailure()).isInstanceOf(ExchangeException.class);
    assertThat(((ExchangeException) end.getFailure()).status()).isEqualTo(503);
    assertThat(source.held()).isZero();
  }

  @Test
  void givesEverythingBack_whenItIsFailed() {
    source.add(fragment(), false).add(box("mdat", 5_000), false);
    Content.Chunk first = body.read();
    body.fail(new IOException("gone"));
    first.release();
    assertThat(Content.Chunk.isFailure(body.read())).isTrue();
    assertThat(source.failure()).hasMessage("gone");
  }

  @Test
  void tellsOfTheEndOnce() {
    source.add(fragment(), false).add(box("mdat", 5_000), false).end();
    assertThat(readAll()).hasSize(5_024);
    assertThat(body.read().isLast()).isTrue();
  }
}
