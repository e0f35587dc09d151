package dev.millrace.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.dash.MpdReader;
import dev.millrace.stream.MediaFormatException;
import dev.millrace.testing.MpdFiles;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MpdAgeTest {
  private static Duration age(String mpd) throws MediaFormatException {
    return MpdAge.mostFor(
        MpdReader.read(new ByteArrayInputStream(mpd.getBytes(UTF_8)), "http://cdn.example/m.mpd"));
  }

  private static String live(String attribute) {
    return MpdFiles.live(Instant.EPOCH, "").replace("minimumUpdatePeriod=\"PT1S\"", attribute);
  }

  @Test
  void staticOneIsKeptForAMinute() throws MediaFormatException {
    assertThat(age(MpdFiles.film())).isEqualTo(Duration.ofMinutes(1));
  }

  @ParameterizedTest
  @CsvSource({"PT0.001S,1000", "PT1S,1000", "PT2.5S,2500", "PT60S,60000", "PT1H,60000"})
  void liveOneIsKeptForAsLongAsItSays(String period, long millis) throws MediaFormatException {
    assertThat(age(live("minimumUpdatePeriod=\"" + period + "\"")))
        .isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @CsvSource({"minimumUpdatePeriod=\"PT0S\"", "''"})
  void liveOneThatMayChangeAnyTimeIsKeptForHalfASegment(String attribute)
      throws MediaFormatException {
    assertThat(age(live(attribute))).isEqualTo(Duration.ofSeconds(1));
    assertThat(age(live(attribute + " maxSegmentDuration=\"PT60S\"")))
        .isEqualTo(Duration.ofSeconds(5));
  }
}
