package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MediaSignatureTest {
  @ParameterizedTest
  @CsvSource({
    "MP4,00000018 66747970 69736f6d",
    "MP4,00000018 66747970 6d703432",
    "M4A,00000018 66747970 4d344120",
    "QUICKTIME,00000018 66747970 71742020",
    "M4S,00000018 73747970 6d736468",
    "MATROSKA,1a45dfa3 a3428681 01428288 6d6174726f736b61",
    "WEBM,1a45dfa3 9f428681 01428284 7765626d",
    "MPEG_PS,000001ba 44000401",
    "OGG,4f676753 0002",
    "FLAC,664c6143 00000022",
    "WAV,52494646 24000000 57415645",
    "AVI,52494646 24000000 41564920",
    "FLV,464c5601 05",
    "MP3,49443303 00",
    "MP3,fffb9064",
    "AAC,fff15080",
    "HLS,23455854 4d335500",
    "HLS,efbbbf23 4558544d 3355",
    "WEBVTT,57454256 54540a",
    "WEBVTT,efbbbf57 45425654 54",
  })
  void knowsBeginnings(MediaType expected, String hex) {
    ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex.replace(" ", "")));

    assertThat(MediaSignature.of(bytes)).hasValue(expected);
    assertThat(bytes.position()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {189, 200, 376, 377, 1000})
  void knowsTransportStream(int size) {
    assertThat(MediaSignature.of(packets(size))).hasValue(MediaType.MPEG_TS);
  }

  @Test
  void knowsTransportStream_inTheMiddleOfDirectBuffer() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(1010).put(new byte[10]).put(packets(1000));

    assertThat(MediaSignature.of(bytes.position(10))).hasValue(MediaType.MPEG_TS);
  }

  @Test
  void doubtsTransportStream_whenThirdPacketIsNone() {
    assertThat(MediaSignature.of(packets(1000).put(376, (byte) 0))).isEmpty();
    assertThat(MediaSignature.of(packets(188))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "G",
        "<html>",
        "RIFF",
        "RIFF1234WEBP",
        "PK\u0003\u0004",
        "\u00ff",
        "\u00ff\u00d8\u00ff\u00e0"
      })
  void knowsNothing_ofOtherBytes(String text) {
    assertThat(MediaSignature.of(ByteBuffer.wrap(text.getBytes(ISO_8859_1)))).isEmpty();
  }

  private static ByteBuffer packets(int size) {
    ByteBuffer bytes = ByteBuffer.allocate(size);
    for (int at = 0; at < size; at += 188) {
      bytes.put(at, (byte) 0x47);
    }
    return bytes;
  }
}
