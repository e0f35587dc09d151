package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContentDispositionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "My Movie.mkv|attachment; filename=\"My Movie.mkv\"",
        "a\";x=\"b.mp4|attachment; filename=\"a\\\";x=\\\"b.mp4\"",
        "a\\b.mp4|attachment; filename=\"a\\\\b.mp4\"",
        "fé 日.mkv|attachment; filename=\"f_ _.mkv\"; filename*=UTF-8''f%C3%A9%20%E6%97%A5.mkv",
        "ü'(%).ts|attachment; filename=\"_'(%).ts\"; filename*=UTF-8''%C3%BC%27%28%25%29.ts",
        "\uD83D\uDE00.ts|attachment; filename=\"_.ts\"; filename*=UTF-8''%F0%9F%98%80.ts",
      })
  void encodesName(String name, String expected) {
    assertThat(ContentDisposition.attachment(name)).isEqualTo(expected);
  }

  @Test
  void replacesWhatIsNotToBeShown() {
    assertThat(ContentDisposition.attachment("a\r\nb\u0000c\u007fd\u0085e\u202ef"))
        .isEqualTo("attachment; filename=\"a__b_c_d_e_f\"");
  }
}
