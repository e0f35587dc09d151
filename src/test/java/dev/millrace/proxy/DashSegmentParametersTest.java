package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cenc.DecryptionOptions.Shift;
import dev.millrace.stream.ExchangeException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DashSegmentParametersTest {
  private static final String NEEDED = "segment_url=http://o/s&mime_type=video/mp4";

  private static DashSegmentParameters of(String query) throws ExchangeException {
    return DashSegmentParameters.ofSegment(
        QueryParameters.parse(query), new ProxyConfig(Optional.empty(), false, "agent", false));
  }

  @Test
  void readsWhatIsNeeded() throws ExchangeException {
    DashSegmentParameters parameters = of(NEEDED);
    assertThat(parameters.media().orElseThrow().address().path()).isEqualTo("/s");
    assertThat(parameters.media().orElseThrow().startOffset()).isZero();
    assertThat(parameters.initialization()).isEmpty();
    assertThat(parameters.usesMap()).isFalse();
    assertThat(parameters.isPlain()).isTrue();
    assertThat(parameters.isIsoMedia()).isTrue();
  }

  @Test
  void readsEverything() throws ExchangeException {
    DashSegmentParameters parameters =
        of(
            NEEDED
                + "&init_url=http://o/i&init_range=0-99&segment_range=100-&use_map=1&is_live=no"
                + "&shift=-3/2&key=00112233445566778899aabbccddeeff");
    assertThat(parameters.media().orElseThrow().startOffset()).isEqualTo(100);
    assertThat(parameters.media().orElseThrow().range().orElseThrow().fieldValue())
        .isEqualTo("bytes=100-");
    assertThat(parameters.initialization().orElseThrow().range().orElseThrow().fieldValue())
        .isEqualTo("bytes=0-99");
    assertThat(parameters.shift()).contains(new Shift(-3, 2));
    assertThat(parameters.isPlain()).isFalse();
    assertThat(parameters.usesMap()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "video/mp4",
        "audio/mp4; codecs=\"mp4a.40.2\"",
        "application/mp4",
        "application/ttml+xml",
        "text/vtt",
        "video/webm"
      })
  void takesTypesOfMedia(String type) throws ExchangeException {
    String encoded = type.replace("+", "%2B").replace(";", "%3B");
    assertThat(of("segment_url=http://o/s&mime_type=" + encoded).mimeType()).isEqualTo(type);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/html",
        "text/javascript",
        "application/javascript",
        "application/xhtml%2Bxml",
        "image/svg%2Bxml",
        "video/mp4%0d%0aX: y",
        "video/mp4, text/html",
        "mp4"
      })
  void refusesOthers(String type) {
    assertThatThrownBy(() -> of("segment_url=http://o/s&mime_type=" + type))
        .isInstanceOf(BadParameterException.class)
        .hasMessageContaining("mime_type");
  }

  @Test
  void takesEmptyOptionalParametersForMissing() throws ExchangeException {
    DashSegmentParameters parameters =
        of(NEEDED + "&init_url=&init_range=&segment_range=&use_map=&shift=&key_id=&key=");
    assertThat(parameters.initialization()).isEmpty();
    assertThat(parameters.isPlain()).isTrue();
  }

  @Test
  void saysNothingSecret() throws ExchangeException {
    DashSegmentParameters parameters =
        of(NEEDED.replace("/s", "/s?signed") + "&key=00112233445566778899aabbccddeeff");
    assertThat(parameters.toString()).doesNotContain("signed").doesNotContain("0011");
  }
}
