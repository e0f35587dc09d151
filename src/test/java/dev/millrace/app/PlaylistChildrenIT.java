package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.link.LinkConfig;
import dev.millrace.link.LinkFormat;
import dev.millrace.testing.CompatibleToken;
import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.HlsOrigin;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RecordedRequest;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.TestSettings;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the links of playlists carry, and bring (contract §10.1, §10.5; report H38). */
@Timeout(60)
class PlaylistChildrenIT {
  private static final String MEDIA =
      """
      #EXTM3U
      #EXT-X-TARGETDURATION:6
      #EXT-X-KEY:METHOD=AES-128,URI="k.key"
      #EXTINF:6.0,
      1.ts
      #EXTINF:6.0,
      http://other.test/2.ts
      #EXTINF:6.0,
      more.m3u8
      """;

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(settings -> settings.password("pw"));

  private final HlsOrigin playlists = new HlsOrigin();
  @AutoClose private final OriginServer origin = OriginServer.start(playlists);

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String manifest(String d, String more) {
    return "/proxy/hls/manifest.m3u8?api_password=pw&d=" + encoded(d) + more;
  }

  private static List<String> links(RawAnswer answer) {
    return Pattern.compile("http://[^\"\\n]+")
        .matcher(answer.text())
        .results()
        .map(match -> match.group().replaceFirst("http://127[^/]+", ""))
        .toList();
  }

  private RecordedRequest last() {
    return origin.requests().get(origin.requests().size() - 1);
  }

  @Test
  void credentialsOfTheAddressReachItsOriginOnly() throws IOException {
    playlists.playlist("/p/x.m3u8", MEDIA);
    String d = origin.url("/p/x.m3u8").replace("http://", "http://user:hush@");
    List<String> links = links(PROXY.fetch("GET", manifest(d, "")));
    assertThat(links.get(2)).contains(encoded("http://other.test/2.ts"));
    for (String link : List.of(links.get(0), links.get(1), links.get(3))) {
      PROXY.fetch("GET", link);
      assertThat(last().field("Authorization")).contains("Basic dXNlcjpodXNo");
    }
  }

  @Test
  void cookiesOfARedirectReachChildren() throws IOException {
    playlists
        .answer(
            "/go.m3u8",
            exchange ->
                exchange.text(302, "", "Location: /p/x.m3u8", "Set-Cookie: seen=hush; Path=/p"))
        .playlist("/p/x.m3u8", MEDIA);
    RawAnswer answer = PROXY.fetch("GET", manifest(origin.url("/go.m3u8"), ""));
    assertThat(answer.text()).doesNotContain("hush");
    PROXY.fetch("GET", links(answer).get(1));
    assertThat(last().target()).isEqualTo("/p/1.ts");
    assertThat(last().field("Cookie")).contains("seen=hush");
  }

  @Test
  void isAPlaylist_ifThatIsSaid() throws IOException {
    playlists.playlist("/x.bin", MEDIA, "Content-Type: video/mp2t");
    RawAnswer answer =
        PROXY.fetch("GET", manifest(origin.url("/x.bin"), "&force_playlist_proxy=1"));
    assertThat(answer.field("Content-Type")).contains("application/vnd.apple.mpegurl");
    assertThat(links(answer)).hasSize(4).noneMatch(link -> link.contains("force_playlist"));
    assertThat(last().fieldNames()).doesNotContain("range");
  }

  @Test
  void onlyKeysAndPlaylistsLeadHere_ifThatIsSaid() throws IOException {
    playlists.playlist("/p/x.m3u8", MEDIA);
    List<String> links =
        links(PROXY.fetch("GET", manifest(origin.url("/p/x.m3u8"), "&key_only_proxy=true")));
    assertThat(links.get(0)).startsWith("/proxy/hls/segment.key?");
    assertThat(links.get(1)).isEqualTo("/p/1.ts"); // at the origin, which is cut off above
    assertThat(links.get(2)).isEqualTo("http://other.test/2.ts");
    assertThat(links.get(3))
        .startsWith("/proxy/hls/manifest.m3u8?")
        .contains("key_only_proxy=true");
  }

  @Test
  void pagesOfOtherOriginsMayReadPlaylists_andWhatIsSaidInTheirPlace() throws IOException {
    playlists.playlist("/p/x.m3u8", MEDIA).playlist("/none.m3u8", "<html>");
    for (String path : List.of("/p/x.m3u8", "/none.m3u8")) {
      RawAnswer answer =
          PROXY.fetch("GET", manifest(origin.url(path), ""), "Origin: http://page.test");
      assertThat(answer.field("Access-Control-Allow-Origin")).as(path).isPresent();
    }
  }

  @Test
  void linksAreOfTheOlderFormat_ifThatIsSet() throws IOException {
    playlists.playlist("/p/x.m3u8", MEDIA);
    LinkConfig older =
        new LinkConfig(
            TestSettings.LINKS.secrets(), Optional.empty(), false, LinkFormat.COMPATIBLE, true);
    String token =
        CompatibleToken.seal(
            "pw", "{\"d\":\"" + origin.url("/p/x.m3u8") + "\",\"api_password\":\"pw\"}");
    try (RunningMillrace proxy =
        RunningMillrace.start(settings -> settings.password("pw").link(older))) {
      RawAnswer answer = proxy.fetch("GET", "/_token_" + token + "/proxy/hls/manifest.m3u8");
      List<String> links = links(answer);
      assertThat(links).hasSize(4).allMatch(link -> link.startsWith("/_token_"));
      assertThat(answer.text()).doesNotContain("_token_v2.");
      assertThat(proxy.fetch("GET", links.get(0)).text()).isEqualTo(HlsOrigin.body("/p/k.key"));
      assertThat(proxy.fetch("GET", links.get(1)).text()).isEqualTo(HlsOrigin.body("/p/1.ts"));
    }
  }

  /** As ffmpeg encrypts them. */
  @Test
  void segmentsAreClear_ifThatIsAskedFor(@TempDir Path directory) throws Exception {
    byte[] key = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    Files.write(directory.resolve("k.key"), key);
    Files.writeString(directory.resolve("keys"), "k.key\n" + directory.resolve("k.key") + "\n");
    String command =
        "-v error -nostdin -f lavfi -i testsrc=size=160x90:rate=10 -t 6 -g 20 -c:v mpeg2video -f hls"
            + " -hls_time 2 -hls_playlist_type vod -hls_key_info_file "
            + directory.resolve("keys")
            + " "
            + directory.resolve("x.m3u8");
    ExternalProgram.Outcome made =
        ExternalProgram.required("ffmpeg").run(Duration.ofSeconds(60), command.split(" "));
    assertThat(made.exit()).as(made.errors()).isZero();
    String playlist = Files.readString(directory.resolve("x.m3u8"));
    playlists.playlist("/x.m3u8", playlist);
    List<Path> files;
    try (var listed = Files.list(directory)) {
      files = listed.filter(file -> file.toString().matches(".*(ts|key)")).sorted().toList();
    }
    for (Path file : files) {
      byte[] bytes = Files.readAllBytes(file);
      playlists.answer("/" + file.getFileName(), ToyOrigins.content(bytes, "video/mp2t"));
    }
    RawAnswer answer = PROXY.fetch("GET", manifest(origin.url("/x.m3u8"), "&decrypt=1"));
    assertThat(answer.text()).doesNotContain("#EXT-X-KEY");
    List<String> links = links(answer);
    assertThat(links).hasSize(3);
    for (int i = 0; i < links.size(); i++) {
      byte[] sealed = Files.readAllBytes(directory.resolve("x" + i + ".ts"));
      assertThat(PROXY.fetch("GET", links.get(i)).bytes())
          .isEqualTo(decrypted(sealed, key, iv(playlist, i)));
    }
  }

  private static byte[] iv(String playlist, long sequence) {
    return Pattern.compile("IV=0x([0-9a-fA-F]{32})")
        .matcher(playlist)
        .results()
        .map(match -> HexFormat.of().parseHex(match.group(1)))
        .findFirst()
        .orElseGet(() -> ByteBuffer.allocate(16).putLong(8, sequence).array());
  }

  private static byte[] decrypted(byte[] sealed, byte[] key, byte[] iv) throws Exception {
    Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
    cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(iv));
    return cipher.doFinal(sealed);
  }
}
