package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.FaultyOrigins;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RecordedRequest;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.Script;
import dev.millrace.testing.SegmentLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Segments and keys as they are: ranges, types, fields, failures (contract §10.12, §21). */
@Timeout(60)
class SegmentIT {
  private static final String ALLOW_ORIGIN = "Access-Control-Allow-Origin";

  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  private OriginServer origin = OriginServer.start(ToyOrigins.file(10_240));

  @AfterEach
  void stopOrigin() {
    origin.close();
  }

  private void restart(Script script) {
    origin.close();
    origin = OriginServer.start(script);
  }

  private SegmentLink link(String ending) {
    return SegmentLink.to(ending, origin.url("/v.ts"));
  }

  private static RawAnswer get(Object target, String... fields) throws IOException {
    return PROXY.fetch("GET", target.toString(), fields);
  }

  @Test
  void servesARange() throws IOException {
    RawAnswer answer = get(link("ts"), "Range: bytes=100-199");
    assertThat(answer.status()).isEqualTo(206);
    assertThat(answer.field("Content-Range")).contains("bytes 100-199/10240");
    assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(100, 200));
    assertThat(origin.onlyRequest().field("Range")).contains("bytes=100-199");
  }

  @Test
  void servesTheWhole_whenNoRangeIsAsked() throws IOException {
    RawAnswer answer = get(link("ts"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("Content-Length")).contains("10240");
    assertThat(answer.field("Accept-Ranges")).contains("bytes");
    assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(0, 10_240));
  }

  @Test
  void passesIfRange() throws IOException {
    get(link("mp4"), "Range: bytes=5-", "If-Range: \"abc\"");
    assertThat(origin.onlyRequest().field("If-Range")).contains("\"abc\"");
  }

  @Test
  void answersHead() throws IOException {
    RawAnswer answer = PROXY.fetch("HEAD", link("ts").toString());
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("Content-Length")).contains("10240");
    assertThat(answer.bytes()).isEmpty();
    assertThat(origin.onlyRequest().method()).isEqualTo("HEAD");
  }

  @Test
  void tellsTheLength_whenTheRangeLiesBeyondTheEnd() throws IOException {
    RawAnswer answer = get(link("ts"), "Range: bytes=99999-");
    assertThat(answer.status()).isEqualTo(416);
    assertThat(answer.field("Content-Range")).contains("bytes */10240");
    assertThat(origin.requests()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "ts, video/mp2t",
    "m4s, video/mp4",
    "mp4, video/mp4",
    "m4a, audio/mp4",
    "aac, audio/aac",
    "vtt, text/vtt",
    "key, application/octet-stream",
    "TS, video/mp2t"
  })
  void labelsByEnding_whenTheOriginCallsItAPicture(String ending, String type) throws IOException {
    restart(ToyOrigins.content(OffsetBytes.range(0, 500), "image/png"));
    assertThat(get(link(ending)).field("Content-Type")).contains(type);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"text/plain", "text/html; charset=utf-8", "binary/octet-stream", "image/jpeg"})
  void labelsByEnding_whenTheOriginsTypeIsNone(String type) throws IOException {
    restart(ToyOrigins.content(OffsetBytes.range(0, 500), type));
    assertThat(get(link("ts")).field("Content-Type")).contains("video/mp2t");
  }

  @ParameterizedTest
  @ValueSource(strings = {"video/iso.segment", "text/vtt", "audio/aac", "application/ttml+xml"})
  void keepsTheOriginsType(String type) throws IOException {
    restart(ToyOrigins.content(OffsetBytes.range(0, 500), type));
    assertThat(get(link("ts")).field("Content-Type")).contains(type);
  }

  @Test
  void labelsByParameter() throws IOException {
    SegmentLink inherited = link("ts").with("rp_content-type", "a/b");
    assertThat(get(inherited).field("Content-Type")).contains("a/b");
    assertThat(get(inherited.with("r_content-type", "c/d")).field("Content-Type")).contains("c/d");
  }

  @ParameterizedTest
  @ValueSource(strings = {"js", "php", "tar.gz", "x-y_z"})
  void acceptsAnyEnding(String ending) throws IOException {
    RawAnswer answer = get(link(ending));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("Content-Type")).contains("video/mp4");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/proxy/hls/segment.?d=", "/proxy/hls/segment.ts/x?d="})
  void answers404_whenThePathIsNoSegment(String path) throws IOException {
    assertThat(get(path + origin.url("/v.ts")).status()).isEqualTo(404);
    assertThat(origin.requests()).isEmpty();
  }

  @Test
  void takesDestination_inPlaceOfD() throws IOException {
    assertThat(get("/proxy/hls/segment.ts?destination=" + origin.url("/v.ts")).status())
        .isEqualTo(200);
    assertThat(get(link("ts").with("destination", "http://127.0.0.1:1/")).status()).isEqualTo(200);
  }

  @Test
  void answers422_whenNothingIsAskedFor() throws IOException {
    RawAnswer answer = get("/proxy/hls/segment.ts");
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.text()).contains("\"query\",\"d\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ts", "key", "vtt", "mp4"})
  void sendsTheGivenFields_withEverything(String ending) throws IOException {
    SegmentLink link =
        link(ending).with("h_cookie", "a=b").with("h_user-agent", "tv").with("rp_x-a", "1");
    assertThat(get(link).field("x-a")).contains("1");
    RecordedRequest asked = origin.onlyRequest();
    assertThat(asked.field("Cookie")).contains("a=b");
    assertThat(asked.field("User-Agent")).contains("tv");
    assertThat(asked.field("x-a")).isEmpty();
  }

  @Test
  void opensTheAnswerToPagesOfOtherOrigins_errorsToo() throws IOException {
    assertThat(get(link("ts"), "Origin: http://page.example").field(ALLOW_ORIGIN)).contains("*");
    restart(ToyOrigins.status(404));
    RawAnswer answer = get(link("ts"), "Origin: http://page.example");
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.field(ALLOW_ORIGIN)).contains("*");
    assertThat(ErrorBody.of(answer).reason()).isEqualTo("upstream_404");
  }

  @Test
  void isForItsViewerOnly() throws IOException {
    restart(
        exchange -> exchange.text(200, "abc", "Content-Type: video/mp2t", "Cache-Control: public"));
    assertThat(get(link("ts")).field("Cache-Control")).contains("private");
  }

  @Test
  void takesUpACutBodyAgain() throws IOException {
    restart(FaultyOrigins.cutAfter(10_240, 4_000, FaultyOrigins.COMPLETE));
    assertThat(get(link("ts")).bytes()).isEqualTo(OffsetBytes.range(0, 10_240));
  }

  /** One file, as {@code EXT-X-BYTERANGE} and the {@code BYTERANGE} of a map list its parts. */
  @Test
  void servesEveryPartOfAFile_asPlaylistsListThem(@TempDir Path directory) throws IOException {
    Path playlist = directory.resolve("one.m3u8");
    String command =
        "-v error -nostdin -f lavfi -i testsrc=size=160x90:rate=10 -t 6 -g 20 -c:v mpeg4 -f hls"
            + " -hls_time 2 -hls_playlist_type vod -hls_segment_type fmp4 -hls_flags single_file "
            + playlist;
    ExternalProgram.Outcome made =
        ExternalProgram.required("ffmpeg").run(Duration.ofSeconds(60), command.split(" "));
    assertThat(made.exit()).as(made.errors()).isZero();
    byte[] file = Files.readAllBytes(directory.resolve("one.m4s"));
    restart(ToyOrigins.content(file, "video/mp4"));
    List<MatchResult> parts =
        Pattern.compile("BYTERANGE[:=]\"?(\\d+)@(\\d+)")
            .matcher(Files.readString(playlist))
            .results()
            .toList();
    assertThat(parts).hasSize(4);
    for (MatchResult part : parts) {
      int first = Integer.parseInt(part.group(2));
      int end = first + Integer.parseInt(part.group(1));
      // an inherited transformer is for transport streams
      SegmentLink link = link("m4s").with("transformer", "ts_stream");
      RawAnswer answer = get(link, "Range: bytes=" + first + "-" + (end - 1));
      assertThat(answer.status()).isEqualTo(206);
      assertThat(answer.bytes()).isEqualTo(Arrays.copyOfRange(file, first, end));
    }
  }
}
