package dev.millrace.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.link.LinkRights;
import dev.millrace.link.LinkTokens;
import dev.millrace.link.ProxyLink;
import dev.millrace.proxy.ProxyConfig;
import dev.millrace.testing.Await;
import dev.millrace.testing.BrowserPlayer;
import dev.millrace.testing.CommandLinePlayer;
import dev.millrace.testing.DashFixtures;
import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.HlsFiles;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.Playback;
import dev.millrace.testing.Plays;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.TestSettings;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Real players play protected DASH through the proxy, as HLS and clear: to the end or, live, for
 * {@code -Dplayers.seconds}, without an error, without a stall, and without asking the origin
 * themselves.
 */
@Timeout(600)
class DashPlayersIT {
  private static final int LIVE_SECONDS = Integer.getInteger("players.seconds", 20);
  private static final String PASSWORD = "correct-horse";
  private static final String VIEWER = "some viewer";
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final LinkTokens TOKENS =
      new LinkTokens(PASSWORD, TestSettings.LINKS.secrets(), TestSettings.LINKS.format(), true);

  /** What is played; named after the directories of {@link DashFixtures}. */
  enum Programme {
    CENC,
    CBCS,
    CENS,
    CBC1,
    VP9,
    /** Not in Chromium. */
    HEVC,
    FILE,
    PERIODS,
    LIVE,
    /** {@link #CENC} by a sealed link. */
    SEALED,
    /** {@link #CENC} as MPEG-TS. */
    STREAM,
    /** {@link #LIVE} as MPEG-TS. */
    LIVE_STREAM;

    String directory() {
      Programme source =
          switch (this) {
            case SEALED, STREAM -> CENC;
            case LIVE_STREAM -> LIVE;
            default -> this;
          };
      return source.name().toLowerCase(Locale.ROOT);
    }

    boolean isTransportStream() {
      return this == STREAM || this == LIVE_STREAM;
    }

    boolean isLive() {
      return this == LIVE || this == LIVE_STREAM;
    }

    boolean isForBrowsers() {
      return this != HEVC;
    }

    boolean isWholeElsewhere() {
      return !isLive() && this != PERIODS;
    }

    /** How long it is played; 0: to its end. */
    int seconds() {
      return isLive() ? LIVE_SECONDS : 0;
    }

    double length() {
      return isLive() ? LIVE_SECONDS : DashFixtures.SECONDS * (this == PERIODS ? 2 : 1);
    }
  }

  /** One play. */
  record Play(Enum<?> player, Programme programme) {
    @Override
    public String toString() {
      return player + "-" + programme;
    }
  }

  @TempDir private static Path directory;

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(settings -> settings.password(PASSWORD));

  private static final Plays<Play> PLAYS = new Plays<>(4);

  private static DashFixtures fixtures;
  private static OriginServer origin;
  private static List<Process> live;

  @BeforeAll
  static void startAll() throws IOException {
    live = DashFixtures.startLive(directory);
    fixtures = DashFixtures.make(directory);
    origin = OriginServer.start(ToyOrigins.onlyWith("X-Viewer", VIEWER, new HlsFiles(directory)));
    Await.until("live", SOON, () -> Files.exists(directory.resolve("live/video_8.m4s")));
    commands().forEach(DashPlayersIT::startCommand);
    for (BrowserPlayer player : BrowserPlayer.values()) {
      PLAYS.page(
          player,
          directory,
          SOON.plusSeconds(LIVE_SECONDS),
          plays(player).filter(play -> play.programme.isForBrowsers()).toList(),
          play ->
              new BrowserPlayer.Programme(
                  play.toString(), url(play.programme), play.programme.seconds(), 0.5));
    }
  }

  @AfterAll
  static void endAll() {
    PLAYS.close();
    live.forEach(ExternalProgram::end);
    origin.close();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void playsAsACommand(Play play) throws Exception {
    playsWell(play);
  }

  @ParameterizedTest
  @MethodSource("pages")
  void playsInABrowser(Play play) throws Exception {
    assumeTrue(((BrowserPlayer) play.player).isInstalled());
    playsWell(play);
  }

  private static void playsWell(Play play) throws Exception {
    Playback playback = PLAYS.of(play);
    assertThat(playback.troubles()).as(play.toString()).isEmpty();
    double length = play.programme.length();
    assertThat(playback.seconds()).as(play.toString()).isBetween(length - 0.5, length + 0.5);
  }

  /** Every frame and every piece of sound, compared with what was never encrypted. */
  @ParameterizedTest
  @MethodSource("decodings")
  void decodesWhatWasEncrypted(Play play) throws Exception {
    CommandLinePlayer player = (CommandLinePlayer) play.player;
    String clear = fixtures.clear(play.programme.directory()).toString();
    String content = player.play(directory, clear, 0).content();
    assertThat(PLAYS.of(play).content()).isNotEmpty();
    if (play.programme.isTransportStream()) { // which has no edit list that leaves it out
      assertThat(withoutPriming(PLAYS.of(play).content())).isEqualTo(withoutPriming(content));
    } else {
      assertThat(PLAYS.of(play).content()).isEqualTo(content);
    }
  }

  /** Without the one frame of sound that its encoder begins with. */
  private static String withoutPriming(String content) {
    return content
        .lines()
        .filter(line -> !line.matches("1, +0, +0, .*"))
        .collect(Collectors.joining("\n"));
  }

  @Test
  void onlyTheProxyAsksTheOrigin() {
    PLAYS.await();
    assertThat(origin.requests())
        .allSatisfy(
            request -> {
              assertThat(request.field("User-Agent")).contains(ProxyConfig.DEFAULT_USER_AGENT);
              assertThat(request.field("X-Viewer")).contains(VIEWER);
            });
  }

  private static Stream<Play> commands() {
    return plays(CommandLinePlayer.FFMPEG, CommandLinePlayer.FFMPEG_8, CommandLinePlayer.MPV);
  }

  private static Stream<Play> pages() {
    return plays(BrowserPlayer.values()).filter(play -> play.programme.isForBrowsers());
  }

  private static Stream<Play> decodings() {
    return plays(CommandLinePlayer.FFMPEG, CommandLinePlayer.FFMPEG_8)
        .filter(play -> play.programme.isWholeElsewhere());
  }

  private static Stream<Play> plays(Enum<?>... players) {
    return Stream.of(Programme.values())
        .flatMap(programme -> Stream.of(players).map(player -> new Play(player, programme)));
  }

  private static void startCommand(Play play) {
    CommandLinePlayer player = (CommandLinePlayer) play.player;
    PLAYS.command(
        play, () -> player.play(directory, url(play.programme), play.programme.seconds()));
  }

  private static String url(Programme programme) {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("api_password", PASSWORD);
    parameters.put("d", origin.url('/' + programme.directory() + "/index.mpd"));
    parameters.put("key_id", DashFixtures.KEY_IDS);
    parameters.put("key", DashFixtures.KEYS);
    parameters.put("h_x-viewer", VIEWER);
    if (programme.isTransportStream()) {
      parameters.put("remux_to_ts", "true");
    }
    return PROXY.url(programme == Programme.SEALED ? sealed(parameters) : plain(parameters));
  }

  private static String plain(Map<String, String> parameters) {
    return parameters.entrySet().stream()
        .map(entry -> entry.getKey() + '=' + URLEncoder.encode(entry.getValue(), UTF_8))
        .collect(Collectors.joining("&", "/proxy/mpd/manifest.m3u8?", ""));
  }

  private static String sealed(Map<String, String> parameters) {
    String token = TOKENS.seal(new ProxyLink(parameters, LinkRights.UNLIMITED));
    return "/_token_" + token + "/proxy/mpd/manifest.m3u8";
  }
}
