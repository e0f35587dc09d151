package dev.millrace.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.link.LinkRights;
import dev.millrace.link.LinkTokens;
import dev.millrace.link.ProxyLink;
import dev.millrace.proxy.ProxyConfig;
import dev.millrace.testing.Await;
import dev.millrace.testing.BrowserPlayer;
import dev.millrace.testing.CommandLinePlayer;
import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.FaultyHls;
import dev.millrace.testing.HlsFiles;
import dev.millrace.testing.HlsFixtures;
import dev.millrace.testing.LowLatencyHls;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.Playback;
import dev.millrace.testing.Plays;
import dev.millrace.testing.RecordedRequest;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.Script;
import dev.millrace.testing.TestSettings;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
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
 * Real players play HLS of every kind through the proxy: to the end or, live, for {@code
 * -Dplayers.seconds}, without an error, without a stall, and without asking the origin themselves.
 *
 * <p>All plays are started together and run side by side; a test waits for its own. {@code
 * -Dplayers.direct=true} lets them play from the origin, to tell a fault of a player or of a
 * fixture from one of ours.
 */
@Timeout(600)
class HlsPlayersIT {
  private static final int LIVE_SECONDS = Integer.getInteger("players.seconds", 20);
  private static final boolean IS_DIRECT = Boolean.getBoolean("players.direct");
  private static final String PASSWORD = "correct-horse";
  private static final String VIEWER = "some viewer";
  private static final int AT_ONCE = 5;

  /** A line of ffmpeg's framehash: stream 0, decoding time, presentation time. */
  private static final Pattern PICTURE = Pattern.compile("^0, *-?\\d+, *(-?\\d+),");

  private static final Duration SOON = Duration.ofSeconds(60);

  private static final LinkTokens TOKENS =
      new LinkTokens(PASSWORD, TestSettings.LINKS.secrets(), TestSettings.LINKS.format(), true);

  /** What is played; {@code name} is one of {@link HlsFixtures}. */
  enum Programme {
    TS("ts"),
    FMP4("fmp4"),
    BYTE_RANGE("range"),
    AES_128("aes"),
    AES_128_MADE_CLEAR("aes", "decrypt", "1"),
    AUDIO_AND_SUBTITLES("multi"),
    DISCONTINUITY("cut"),
    /** The files of {@code ts} from {@link FaultyHls}. */
    SLOW_AND_CUT("ts"),
    LIVE("live"),
    LOW_LATENCY("ll");

    final String name;
    final String parameter;
    final String value;

    Programme(String name) {
      this(name, "", "");
    }

    Programme(String name, String parameter, String value) {
      this.name = name;
      this.parameter = parameter;
      this.value = value;
    }

    boolean isLive() {
      return this == LIVE || this == LOW_LATENCY;
    }

    /** How long it is played; 0: to its end. */
    int seconds() {
      return isLive() ? LIVE_SECONDS : 0;
    }

    /** What has the same pictures and sound and is read from files. */
    String likeness() {
      return name.equals("aes") ? "ts" : name;
    }

    /** Some have a state for each play. */
    String path(String session) {
      return switch (this) {
        case SLOW_AND_CUT -> "/faulty/" + session + "/index.m3u8";
        case LOW_LATENCY -> "/ll/" + session + "/index.m3u8";
        default -> '/' + name + "/index.m3u8";
      };
    }
  }

  /** How the first link is written. */
  enum Form {
    PLAIN,
    TOKEN
  }

  /** One play. */
  record Play(Enum<?> player, Programme programme, Form form) {
    /** In a browser: who is 3 s behind an event shares two cores with nobody. */
    boolean isInCrowd() {
      return programme != Programme.LOW_LATENCY;
    }

    boolean isInCrowd(Form crowd) {
      return isInCrowd() && form == crowd;
    }

    @Override
    public String toString() {
      return player + "-" + programme + "-" + form;
    }
  }

  @TempDir private static Path directory;

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(settings -> settings.password(PASSWORD));

  private static final Plays<Play> PLAYS = new Plays<>(AT_ONCE);

  private static HlsFixtures fixtures;
  private static OriginServer origin;
  private static Process encoder;

  @BeforeAll
  static void startAll() throws IOException {
    encoder = HlsFixtures.startLive(directory);
    fixtures = HlsFixtures.make(directory, 60 + LIVE_SECONDS);
    origin = OriginServer.start(IS_DIRECT ? script() : onlyForViewer(script()));
    Await.until("a live stream", SOON, () -> Files.exists(directory.resolve("live/index103.ts")));
    commands().forEach(HlsPlayersIT::startCommand);
    for (Form form : Form.values()) {
      Stream.of(BrowserPlayer.values())
          .forEach(
              player -> startPage(plays(player).filter(play -> play.isInCrowd(form)).toList()));
    }
    Stream.of(BrowserPlayer.values())
        .forEach(player -> startPage(plays(player).filter(play -> !play.isInCrowd()).toList()));
  }

  @AfterAll
  static void endAll() {
    PLAYS.close();
    ExternalProgram.end(encoder);
    origin.close();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void playsAsACommand(Play play) throws Exception {
    Playback playback = PLAYS.of(play);
    assertThat(playback.troubles()).as(play.toString()).isEmpty();
    assertThat(playback.seconds())
        .as(play.toString())
        .isBetween(expectedSeconds(play), longestSeconds(play));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void playsInABrowser(Play play) throws Exception {
    assumeTrue(((BrowserPlayer) play.player).isInstalled());
    Playback playback = PLAYS.of(play);
    assertThat(playback.troubles()).as(play.toString()).isEmpty();
    assertThat(playback.seconds())
        .as(play.toString())
        .isBetween(expectedSeconds(play), longestSeconds(play));
  }

  /**
   * Every frame and every piece of sound, compared with what the same ffmpeg makes of the files.
   */
  @ParameterizedTest
  @MethodSource("decodings")
  void decodesWhatTheFilesHold(Play play) throws Exception {
    CommandLinePlayer player = (CommandLinePlayer) play.player;
    String file = fixtures.playlist(play.programme.likeness()).toString();
    assertThat(PLAYS.of(play).content()).isNotEmpty();
    assertThat(PLAYS.of(play).content()).isEqualTo(player.play(directory, file, 0).content());
  }

  @ParameterizedTest
  @MethodSource("liveDecodings")
  void losesNoFrameOfALiveStream(Play play) throws Exception {
    List<Long> times =
        PLAYS
            .of(play)
            .content()
            .lines()
            .map(PICTURE::matcher)
            .filter(Matcher::find)
            .map(line -> Long.parseLong(line.group(1)))
            .toList();
    assertThat(times)
        .isEqualTo(LongStream.range(times.get(0), times.get(0) + times.size()).boxed().toList());
  }

  @Test
  void lowLatencyRequestsReachTheOrigin() {
    PLAYS.await();
    assertThat(origin.requests())
        .extracting(RecordedRequest::target)
        .anyMatch(target -> target.matches("/ll/HLS_JS.*_HLS_msn=\\d+&_HLS_part=\\d.*"))
        .anyMatch(target -> target.matches("/ll/HLS_JS.*/\\d+\\.\\d\\.m4s"));
  }

  @Test
  void onlyTheProxyAsksTheOrigin() {
    assumeFalse(IS_DIRECT);
    PLAYS.await();
    assertThat(origin.requests())
        .allSatisfy(
            request -> {
              assertThat(request.field("User-Agent")).contains(ProxyConfig.DEFAULT_USER_AGENT);
              assertThat(request.field("X-Viewer")).contains(VIEWER);
            });
  }

  private static Stream<Play> commands() {
    return plays(CommandLinePlayer.values());
  }

  private static Stream<Play> pages() {
    return plays(BrowserPlayer.values());
  }

  private static Stream<Play> decodings() {
    return ffmpegs().filter(play -> !play.programme.isLive());
  }

  private static Stream<Play> liveDecodings() {
    return ffmpegs().filter(play -> play.programme.isLive());
  }

  private static Stream<Play> ffmpegs() {
    return plays(CommandLinePlayer.FFMPEG, CommandLinePlayer.FFMPEG_8);
  }

  private static Stream<Play> plays(Enum<?>... players) {
    return Stream.of(Form.values())
        .flatMap(
            form ->
                Stream.of(Programme.values())
                    .flatMap(
                        programme ->
                            Stream.of(players).map(player -> new Play(player, programme, form))));
  }

  private static void startCommand(Play play) {
    CommandLinePlayer player = (CommandLinePlayer) play.player;
    PLAYS.command(play, () -> player.play(directory, url(play), play.programme.seconds()));
  }

  /** One page plays all of them at once. */
  private static void startPage(List<Play> plays) {
    PLAYS.page(
        (BrowserPlayer) plays.get(0).player,
        directory,
        SOON.plusSeconds(LIVE_SECONDS),
        plays,
        play ->
            new BrowserPlayer.Programme(
                play.toString(), url(play), play.programme.seconds(), startSeconds(play)));
  }

  /**
   * Shaka fetches whole segments first, and then puts their parts in their place, under the eyes of
   * the decoder: see docs/players.md.
   */
  private static double startSeconds(Play play) {
    return play.player == BrowserPlayer.SHAKA && !play.isInCrowd() ? 2.5 : 0.5;
  }

  /** What a player skips at a start or does not count at an end is less than half a second. */
  private static double expectedSeconds(Play play) {
    return length(play) - 0.5;
  }

  /** Live, streamlink takes whole segments. */
  private static double longestSeconds(Play play) {
    return length(play) + (play.programme.isLive() ? 2.5 : 0.5);
  }

  private static int length(Play play) {
    return play.programme.isLive() ? LIVE_SECONDS : HlsFixtures.SECONDS;
  }

  private static String url(Play play) {
    String d = origin.url(play.programme.path(play.toString()));
    if (IS_DIRECT) {
      return d;
    }
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("api_password", PASSWORD);
    parameters.put("d", d);
    parameters.put("h_x-viewer", VIEWER);
    if (!play.programme.parameter.isEmpty()) {
      parameters.put(play.programme.parameter, play.programme.value);
    }
    return PROXY.url(play.form == Form.TOKEN ? sealed(parameters) : plain(parameters));
  }

  private static String plain(Map<String, String> parameters) {
    return parameters.entrySet().stream()
        .map(entry -> entry.getKey() + '=' + URLEncoder.encode(entry.getValue(), UTF_8))
        .collect(Collectors.joining("&", "/proxy/hls/manifest.m3u8?", ""));
  }

  private static String sealed(Map<String, String> parameters) {
    String token = TOKENS.seal(new ProxyLink(parameters, LinkRights.UNLIMITED));
    return "/_token_" + token + "/proxy/hls/manifest.m3u8";
  }

  private static Script onlyForViewer(Script script) {
    return ToyOrigins.onlyWith("X-Viewer", VIEWER, script);
  }

  private static Script script() throws IOException {
    HlsFiles files =
        IS_DIRECT
            ? new HlsFiles(directory, "Access-Control-Allow-Origin: *")
            : new HlsFiles(directory);
    Script faulty = new FaultyHls(files);
    Script lowLatency = LowLatencyHls.of(files, "ll.mp4");
    return exchange -> {
      String path = exchange.request().path();
      Script script = path.startsWith("/ll/") ? lowLatency : files;
      (path.startsWith("/faulty/") ? faulty : script).answer(exchange);
    };
  }
}
