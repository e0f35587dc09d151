package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.CencEncryptor;
import dev.millrace.testing.CutMovie;
import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.ManifestLink;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.ProtectedMovie;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.SampleProtector;
import dev.millrace.testing.Script;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HLS of fMP4 under SAMPLE-AES and SAMPLE-AES-CTR, whose keys a request brings along. */
@Timeout(120)
class ClearSamplesIT {
  private static final byte[] CLIP = CutMovie.clip();
  private static final Pattern MAP = Pattern.compile("#EXT-X-MAP:URI=\"([^\"]+)\"");

  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  @AutoClose
  private static final RunningMillrace SEALING =
      RunningMillrace.start(settings -> settings.password("secret"));

  private final Map<String, Script> files = new ConcurrentHashMap<>();
  private final OriginServer origin =
      OriginServer.start(
          exchange ->
              files
                  .getOrDefault(exchange.request().path(), ToyOrigins.status(404))
                  .answer(exchange));

  @AfterEach
  void stopOrigin() {
    origin.close();
  }

  private ProtectedMovie serve(SampleProtector protector, String method) {
    ProtectedMovie movie = CencEncryptor.of(protector).encrypt(CLIP);
    files.put("/init.mp4", ToyOrigins.content(movie.init(), "video/mp4"));
    StringBuilder text = new StringBuilder("#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:1\n");
    text.append("#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-MAP:URI=\"init.mp4\"\n#EXT-X-KEY:METHOD=")
        .append(method)
        .append(",URI=\"skd://x\",KEYFORMAT=\"com.apple.streamingkeydelivery\"\n");
    for (int i = 0; i < movie.fragments().size(); i++) {
      files.put("/" + i + ".m4s", ToyOrigins.content(movie.fragments().get(i), "video/mp4"));
      text.append("#EXTINF:1.0,\n").append(i).append(".m4s\n");
    }
    playlist(text.append("#EXT-X-ENDLIST\n").toString());
    return movie;
  }

  private void playlist(String text) {
    files.put(
        "/p.m3u8",
        exchange -> exchange.text(200, text, "Content-Type: application/vnd.apple.mpegurl"));
  }

  private ManifestLink link(SampleProtector protector) {
    return ManifestLink.to(origin.url("/p.m3u8"))
        .with("key_id", protector.kid())
        .with("key", protector.key());
  }

  private static String map(String playlist) {
    Matcher map = MAP.matcher(playlist);
    assertThat(map.find()).isTrue();
    return map.group(1);
  }

  private static List<String> segments(String playlist) {
    return playlist.lines().filter(line -> !line.startsWith("#") && !line.isEmpty()).toList();
  }

  private static byte[] get(RunningMillrace proxy, String url) throws IOException {
    URI uri = URI.create(url);
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    RawAnswer answer = proxy.fetch("GET", uri.getRawPath() + query);
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return answer.bytes();
  }

  private static List<byte[]> payloads(RunningMillrace proxy, String playlist) throws IOException {
    List<byte[]> payloads = new ArrayList<>();
    for (String segment : segments(playlist)) {
      payloads.addAll(ProtectedMovie.payloads(get(proxy, segment)));
    }
    return payloads;
  }

  @ParameterizedTest
  @CsvSource({"cenc, SAMPLE-AES-CTR", "cbcs, SAMPLE-AES"})
  void deliversThemClear(String scheme, String method) throws IOException {
    SampleProtector protector = SampleProtector.of(scheme).subsamples(SampleProtector.TWO);
    ProtectedMovie movie = serve(protector, method);
    RawAnswer answer = PROXY.fetch("GET", link(protector).toString());
    String playlist = answer.text();
    assertThat(playlist).doesNotContain("EXT-X-KEY").contains("EXT-X-ENDLIST");
    assertThat(answer.field("Cache-Control").orElse("")).contains("no-store");
    assertThat(new String(get(PROXY, map(playlist)), java.nio.charset.StandardCharsets.ISO_8859_1))
        .doesNotContain("encv", "sinf");
    assertThat(payloads(PROXY, playlist)).containsExactlyElementsOf(movie.clearPayloads());
  }

  @Test
  void isPlayedByFfmpeg(@TempDir Path directory) throws IOException {
    SampleProtector protector = SampleProtector.of("cbcs").subsamples(SampleProtector.TWO);
    serve(protector, "SAMPLE-AES");
    Path clear = Files.write(directory.resolve("clear.mp4"), CLIP);
    assertThat(frames(PROXY.url(link(protector).toString())))
        .hasSizeGreaterThan(125 * 32)
        .isEqualTo(frames(clear.toString()));
  }

  private static String frames(String input) throws IOException {
    ExternalProgram.Outcome outcome =
        ExternalProgram.required("ffmpeg")
            .run(
                Duration.ofSeconds(60),
                Stream.of(
                        ("-v error -i " + input + " -map 0:v -f framehash -hash md5 -").split(" "))
                    .toArray(String[]::new));
    assertThat(outcome.exit()).as(outcome.errors()).isZero();
    return outcome.output().lines().map(line -> line.replaceFirst(".*,", "")).toList().toString();
  }

  @Test
  void sealsTheKeys_whereLinksAreSealed() throws IOException {
    SampleProtector protector = SampleProtector.of("cenc");
    ProtectedMovie movie = serve(protector, "SAMPLE-AES-CTR");
    RawAnswer answer = SEALING.fetch("GET", link(protector).toString(), "api_password: secret");
    assertThat(answer.text()).doesNotContain(protector.key()).contains("_token_");
    assertThat(payloads(SEALING, answer.text())).containsExactlyElementsOf(movie.clearPayloads());
  }

  @Test
  void deliversRangesOfOneFile() throws IOException {
    SampleProtector protector = SampleProtector.of("cenc").subsamples(SampleProtector.TWO);
    ProtectedMovie movie = serve(protector, "SAMPLE-AES-CTR");
    files.put("/all.mp4", ToyOrigins.content(movie.file(), "video/mp4"));
    int first = movie.fragments().get(0).length;
    int second = movie.fragments().get(1).length;
    playlist(
        "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:1\n#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,"
            + "URI=\"data:x\"\n#EXT-X-MAP:URI=\"all.mp4\",BYTERANGE=\""
            + movie.init().length
            + "@0\"\n#EXTINF:1,\n#EXT-X-BYTERANGE:"
            + first
            + "@"
            + movie.init().length
            + "\nall.mp4\n#EXTINF:1,\n#EXT-X-BYTERANGE:"
            + second
            + "\nall.mp4\n#EXT-X-ENDLIST\n");
    String playlist = PROXY.fetch("GET", link(protector).toString()).text();
    assertThat(playlist).doesNotContain("BYTERANGE").doesNotContain("EXT-X-KEY");
    assertThat(get(PROXY, map(playlist))).hasSameSizeAs(movie.init());
    assertThat(payloads(PROXY, playlist))
        .containsExactlyElementsOf(movie.clearPayloads().subList(0, 2));
  }

  @Test
  void leavesEverythingElseToThePlayer() throws IOException {
    SampleProtector protector = SampleProtector.of("cenc");
    serve(protector, "SAMPLE-AES-CTR");
    String without = PROXY.fetch("GET", ManifestLink.to(origin.url("/p.m3u8")).toString()).text();
    assertThat(without).contains("EXT-X-KEY").doesNotContain("decrypt_samples");
    String ofTransportStream =
        """
        #EXTM3U
        #EXT-X-TARGETDURATION:1
        #EXT-X-KEY:METHOD=SAMPLE-AES,URI="k"
        #EXTINF:1,
        0.ts
        #EXT-X-ENDLIST
        """;
    files.put("/t.m3u8", exchange -> exchange.text(200, ofTransportStream));
    ManifestLink keyed = ManifestLink.to(origin.url("/t.m3u8")).with("key", protector.key());
    String ofTs = PROXY.fetch("GET", keyed.toString()).text();
    assertThat(ofTs).contains("EXT-X-KEY:METHOD=SAMPLE-AES").doesNotContain("decrypt_samples");
  }

  @Test
  void namesTheParameter_whenItCannotBeUsed() throws IOException {
    RawAnswer answer =
        PROXY.fetch("GET", ManifestLink.to(origin.url("/p.m3u8")).with("key", "12").toString());
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.text()).contains("key");
    RawAnswer segment =
        PROXY.fetch(
            "GET", "/proxy/hls/segment.m4s?decrypt_samples=media&d=" + origin.url("/0.m4s"));
    assertThat(segment.status()).isEqualTo(422);
  }
}
