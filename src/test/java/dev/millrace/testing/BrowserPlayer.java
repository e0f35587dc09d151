package dev.millrace.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** A player written in JavaScript, in a page that headless Chromium shows. */
public enum BrowserPlayer {
  HLS_JS(
      "hls.js/dist/hls.js",
      """
      // In MPEG-TS sound waits for the time of the video; hls.js 1.7.4 then misses that it grew.
      const atStart = ['bufferStalledError', 'bufferSeekOverHole'];
      if (url.includes('remux_to_ts')) atStart.push('bufferAppendNoProgress');
      const hls = new Hls();
      hls.on(Hls.Events.ERROR, (event, data) => trouble(
          data.details + (data.fatal ? ' (fatal) ' : ' ') + (data.error || ''),
          data.fatal || !atStart.includes(data.details)));
      hls.loadSource(url);
      hls.attachMedia(video);
      video.play();
      """),
  SHAKA(
      "shaka-player/dist/shaka-player.compiled.js",
      """
      shaka.polyfill.installAll();
      const player = new shaka.Player();
      player.addEventListener('error', event => trouble('error ' + event.detail.code + ' '
          + event.detail.data, true));
      player.addEventListener('stalldetected', () => trouble('stalled'));
      player.configure('streaming.retryParameters.maxAttempts', 1);
      player.configure('abr.enabled', false);
      player.attach(video).then(() => player.load(url)).then(() => video.play())
          .catch(error => trouble('error ' + error.code + ' ' + error.data, true));
      """);

  private final String script;
  private final String opening;

  BrowserPlayer(String script, String opening) {
    this.script = script;
    this.opening = opening;
  }

  /**
   * What is to be played.
   *
   * @param name of letters, digits, hyphens
   * @param seconds how long; 0 = to the end
   * @param startSeconds how long it may wait for data at its start
   */
  public record Programme(String name, String url, int seconds, double startSeconds) {}

  /** Whether the player's file is there; {@code CI=true} demands it. */
  public boolean isInstalled() {
    boolean isThere = Files.exists(file());
    if (!isThere && "true".equals(System.getenv("CI"))) {
      throw new AssertionError(file() + " is not installed, and CI=true demands it");
    }
    return isThere;
  }

  private Path file() {
    return ExternalProgram.nodeModules().resolve(script);
  }

  /** Plays all at once; returns when the page has reported all. */
  public Map<String, Playback> play(Path directory, Duration atMost, List<Programme> programmes) {
    try {
      return show(directory, atMost, programmes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, Playback> show(Path directory, Duration atMost, List<Programme> programmes)
      throws IOException {
    Map<String, Playback> reports = new ConcurrentHashMap<>();
    byte[] page = page(atMost.minusSeconds(10), programmes).getBytes(StandardCharsets.UTF_8);
    byte[] player = Files.readAllBytes(file());
    Path log = directory.resolve(name() + ".log");
    try (OriginServer server =
        OriginServer.start(exchange -> answer(exchange, page, player, reports))) {
      Chromium.show(
          directory,
          log,
          server.url("/page.html"),
          () ->
              Await.until(
                  "reports of all of " + programmes,
                  atMost,
                  () -> reports.size() == programmes.size(),
                  reports::toString));
    }
    return reports;
  }

  private static void answer(
      OriginExchange exchange, byte[] page, byte[] player, Map<String, Playback> reports)
      throws IOException {
    String path = exchange.request().path();
    if (path.startsWith("/report/")) {
      String text = new String(exchange.requestBody(), StandardCharsets.UTF_8);
      reports.put(path.substring("/report/".length()), playback(text));
      exchange.text(204, "");
    } else if (path.equals("/player.js")) {
      exchange.bytes(200, player, "Content-Type: text/javascript");
    } else {
      exchange.bytes(200, page, "Content-Type: text/html");
    }
  }

  /** State, seconds, then troubles, a line each; any state but the two good ones is a trouble. */
  private static Playback playback(String text) {
    List<String> lines = new ArrayList<>(text.lines().toList());
    String state = lines.remove(0);
    double seconds = Double.parseDouble(lines.remove(0));
    if (!state.equals("ended") && !state.equals("played")) {
      lines.add(state);
    }
    return new Playback(seconds, lines, "");
  }

  private String page(Duration limit, List<Programme> programmes) {
    String list =
        programmes.stream()
            .map(
                programme ->
                    "{name: '%s', url: '%s', seconds: %d, start: %s}"
                        .formatted(
                            programme.name(),
                            programme.url(),
                            programme.seconds(),
                            programme.startSeconds()))
            .collect(Collectors.joining(",\n  ", "[\n  ", "]"));
    return template()
        .replace("PROGRAMMES", list)
        .replace("OPEN", opening)
        .replace("LIMIT", String.valueOf(limit.toMillis()));
  }

  private static String template() {
    try (InputStream in = BrowserPlayer.class.getResourceAsStream("players/page.html")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
