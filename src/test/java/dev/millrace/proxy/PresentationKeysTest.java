package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cenc.KeyRing;
import dev.millrace.dash.Mpd;
import dev.millrace.dash.MpdReader;
import dev.millrace.testing.MpdFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PresentationKeysTest {
  private static final String KEY = "f0e1d2c3b4a5968778695a4b3c2d1e0f";
  private static final String OTHER = "a".repeat(32) + ":" + "b".repeat(32);

  private static Mpd mpd(String text) throws IOException {
    return MpdReader.read(new ByteArrayInputStream(text.getBytes(UTF_8)), "http://cdn.example/");
  }

  private static KeyRing keys(String keys) throws IOException {
    return KeyParameters.of("", keys).ring();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        KEY, // whatever it is for
        MpdFiles.KID + ":" + KEY,
        MpdFiles.KID + ":" + KEY + ",aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:" + KEY,
        "67452301ab89efcd0123456789abcdef:"
            + KEY
            + ",aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:"
            + MpdFiles.KID
      })
  void isEnoughIfOneMayBeMeant(String keys) {
    assertThatCode(() -> PresentationKeys.check(mpd(MpdFiles.protectedFilm()), keys(keys)))
        .doesNotThrowAnyException();
  }

  @Test
  void refusesKeysThatAreAllForSomethingElse() {
    String keys = OTHER + "," + "c".repeat(32) + ":" + KEY;
    assertThatThrownBy(() -> PresentationKeys.check(mpd(MpdFiles.protectedFilm()), keys(keys)))
        .hasMessage("None of the keys is for key id " + MpdFiles.KID);
  }

  @Test
  void zeroNamesNoKey() {
    String film =
        MpdFiles.protectedFilm()
            .replace(
                "01234567-89AB-CDEF-0123-456789ABCDEF", "00000000-0000-0000-0000-000000000000");
    String keys = OTHER + "," + "c".repeat(32) + ":" + KEY;
    assertThatCode(() -> PresentationKeys.check(mpd(film), keys(keys))).doesNotThrowAnyException();
  }

  @Test
  void clearPresentationNeedsNone() {
    assertThatCode(() -> PresentationKeys.check(mpd(MpdFiles.film()), KeyRing.EMPTY))
        .doesNotThrowAnyException();
  }
}
