package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.stream.ByteBuilder;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChildRouteTest {
  @ParameterizedTest
  @CsvSource({
    "http://h/1.ts, TS",
    "http://h/1.M4S?x=1.ts, M4S",
    "http://h/1.cmfv, M4S",
    "http://h/1.cmfa, M4S",
    "http://h/1.mp4, MP4",
    "http://h/1.m4a, MP4",
    "http://h/1.m4v, MP4",
    "http://h/1.aac, AAC",
    "http://h/1.mp3, MP3",
    "http://h/1.ac3, AC3",
    "http://h/1.ec3, EC3",
    "http://h/1.eac3, EC3",
    "http://h/1.mp2, MP3",
    "http://h/1.vtt, VTT",
    "http://h/1.webvtt?a#b, VTT",
    "http://h/x.m3u8, PLAYLIST",
    "http://h/x.M3U, PLAYLIST",
    "http://h/x.m3u_plus, PLAYLIST",
    "http://h/x?a=b&type=m3u8, PLAYLIST",
    "http://h/x?type=m3u_plus&a, PLAYLIST",
    "http://h/x.ts?type=m3u, PLAYLIST",
    "http://h/x?type=m3u9,",
    "http://h/x?atype=m3u8,",
    "http://h/x.js,",
    "http://h.ts/x,",
    "http://h/.ts/x,",
    "http://h/segment,",
  })
  void isWhatThePathEndsIn(String address, ChildRoute route) {
    assertThat(ChildRoute.of(new ByteBuilder(16).append(address)))
        .isEqualTo(Optional.ofNullable(route));
  }
}
