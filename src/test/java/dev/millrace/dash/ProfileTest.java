package dev.millrace.dash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Which representation an id of a link means. */
final class ProfileTest {
  private static Mpd mpd(String type, String representations) throws IOException {
    String xml =
        """
        <MPD type="%s" availabilityStartTime="2026-01-01T00:00:00Z"><Period id="p" start="PT0S">
        <AdaptationSet id="1" mimeType="video/mp4">
        <SegmentTemplate media="$Number$.m4s" duration="2"/>%s</AdaptationSet></Period></MPD>
        """
            .formatted(type, representations);
    return MpdReader.read(new ByteArrayInputStream(xml.getBytes(UTF_8)), "http://o.example/m.mpd");
  }

  private static String video(String id, int bandwidth) {
    return "<Representation %s bandwidth=\"%d\"/>"
        .formatted(id.isEmpty() ? "" : "id=\"" + id + '"', bandwidth);
  }

  @Test
  void isFound_whenALivePackagerMeasuresItsBandwidthAnew() throws IOException {
    Mpd now = mpd("dynamic", video("v", 351_940) + video("w", 900));
    Profile profile = Profile.find(now, "1_v_350616").orElseThrow();
    assertThat(profile.id()).isEqualTo("1_v_350616");
    assertThat(profile.members().get(0).representation().bandwidth()).isEqualTo(351_940);
  }

  @Test
  void isNotFound_whenSeveralCouldBeMeant() throws IOException {
    assertThat(Profile.find(mpd("dynamic", video("", 1) + video("", 2)), "1_1_3")).isEmpty();
  }

  @Test
  void isNotFound_whenThePresentationIsStatic() throws IOException {
    assertThat(Profile.find(mpd("static", video("v", 2)), "1_v_1")).isEmpty();
    assertThat(Profile.find(mpd("static", video("v", 2)), "1_v_2")).isPresent();
  }
}
