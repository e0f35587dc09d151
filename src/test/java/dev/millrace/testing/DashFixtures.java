package dev.millrace.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Presentations that ffmpeg encodes and shaka-packager encrypts: twelve seconds, twenty pictures a
 * second, segments of two seconds, picture and sound with a key each. {@code NAME/index.mpd} is the
 * protected one ({@code cenc cbcs cens cbc1} after their scheme, {@code vp9}, {@code hevc}, {@code
 * file} with one file for each track, {@code periods} with two periods), {@code NAME/index.m3u8}
 * the same media clear, as HLS. {@link #startLive} writes {@code live/index.mpd}.
 */
public final class DashFixtures {
  public static final int SECONDS = 12;
  public static final String KEY_IDS =
      "11111111111111111111111111111111,33333333333333333333333333333333";
  public static final String KEYS =
      "22222222222222222222222222222222,44444444444444444444444444444444";

  private static final Duration SOON = Duration.ofMinutes(2);
  private static final String PACKAGER = "shaka-packager/bin/packager-linux-x64";
  private static final String AVC =
      "-c:v libx264 -preset ultrafast -crf 30 -g 40 -keyint_min 40 -sc_threshold 0"
          + " -pix_fmt yuv420p -c:a aac -b:a 64k";
  private static final String VP9 =
      "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -b:v 200k -g 40 -keyint_min 40"
          + " -pix_fmt yuv420p -c:a aac -b:a 64k";
  private static final String HEVC =
      "-c:v libx265 -preset ultrafast -x265-params"
          + " log-level=none:keyint=40:min-keyint=40:scenecut=0 -pix_fmt yuv420p -c:a aac -b:a 64k";
  private static final Pattern PERIOD = Pattern.compile("(?s)<Period[^>]*>(.*)</Period>");

  private final Path directory;

  private DashFixtures(Path directory) {
    this.directory = directory;
  }

  /** Makes them; takes some seconds. */
  public static DashFixtures make(Path directory) throws IOException {
    DashFixtures fixtures = new DashFixtures(directory);
    fixtures.clip("clip.mp4", "testsrc2=size=320x180", 440, AVC);
    fixtures.clip("other.mp4", "testsrc=size=320x180", 660, AVC);
    fixtures.clip("vp9.mp4", "testsrc2=size=320x180", 440, VP9);
    fixtures.clip("hevc.mp4", "testsrc2=size=320x180", 440, HEVC);
    for (String scheme : List.of("cenc", "cbcs", "cens", "cbc1")) {
      fixtures.segments("clip.mp4", scheme, scheme);
    }
    fixtures.segments("other.mp4", "other", "cbcs");
    fixtures.segments("vp9.mp4", "vp9", "cenc");
    fixtures.segments("hevc.mp4", "hevc", "cbcs");
    fixtures.files();
    fixtures.periods();
    return fixtures;
  }

  /** The clear media of it, as HLS. */
  public Path clear(String name) {
    return directory.resolve(name).resolve("index.m3u8");
  }

  /**
   * An encoder in real time, whose segments are encrypted as they come: segments of two seconds, a
   * window of twenty.
   *
   * @return both programs
   */
  public static List<Process> startLive(Path directory) throws IOException {
    Path live = Files.createDirectories(directory.resolve("live"));
    Path pipe = live.resolve("pipe.ts");
    ExternalProgram.required("mkfifo").run(SOON, pipe.toString());
    Path log = directory.resolve("live.log");
    List<String> packaging = new ArrayList<>();
    for (String kind : List.of("video", "audio")) {
      packaging.add(descriptor(pipe, kind, live, live.resolve(kind + "_$Number$.m4s")));
    }
    packaging.addAll(protecting("cenc"));
    packaging.addAll(
        List.of(
            "--mpd_output=" + live.resolve("index.mpd"),
            "--time_shift_buffer_depth=40",
            "--preserved_segments_outside_live_window=20",
            "--minimum_update_period=1",
            "--suggested_presentation_delay=8"));
    Process packager =
        ExternalProgram.requiredModule(PACKAGER).start(log, log, packaging.toArray(String[]::new));
    List<String> encoding = new ArrayList<>(List.of("-nostdin", "-v", "error", "-y", "-re"));
    encoding.addAll(sources("testsrc2=size=320x180", 440));
    encoding.addAll(List.of(AVC.split(" ")));
    // else times begin at 1.4 s, and the packager cuts sound elsewhere than the picture
    encoding.addAll(List.of("-muxdelay", "0", "-muxpreload", "0"));
    encoding.addAll(List.of("-f", "mpegts", pipe.toString()));
    Path encoderLog = directory.resolve("encoder.log");
    Process encoder =
        ExternalProgram.required("ffmpeg")
            .start(encoderLog, encoderLog, encoding.toArray(String[]::new));
    return List.of(encoder, packager);
  }

  private void clip(String name, String picture, int hertz, String codecs) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-nostdin", "-v", "error", "-y"));
    arguments.addAll(sources(picture, hertz));
    arguments.addAll(List.of(codecs.split(" ")));
    arguments.addAll(List.of("-t", String.valueOf(SECONDS), directory.resolve(name).toString()));
    run(ExternalProgram.required("ffmpeg"), arguments);
  }

  private static List<String> sources(String picture, int hertz) {
    return List.of(
        "-f",
        "lavfi",
        "-i",
        picture + ":rate=20",
        "-f",
        "lavfi",
        "-i",
        "sine=sample_rate=48000:frequency=" + hertz);
  }

  /** Protected with an MPD, and clear with playlists. */
  private void segments(String clip, String name, String scheme) throws IOException {
    Path target = Files.createDirectories(directory.resolve(name));
    List<String> arguments = new ArrayList<>();
    for (String kind : List.of("video", "audio")) {
      Path template = target.resolve(kind + "_$Number%03d$.m4s");
      arguments.add(descriptor(directory.resolve(clip), kind, target, template));
    }
    arguments.addAll(protecting(scheme));
    arguments.addAll(
        List.of("--mpd_output=" + target.resolve("index.mpd"), "--generate_static_live_mpd"));
    pack(arguments);
    clear(clip, target);
  }

  private static String descriptor(Path in, String kind, Path target, Path template) {
    return "in=%s,stream=%s,init_segment=%s,segment_template=%s,drm_label=%s"
        .formatted(in, kind, target.resolve(kind + "_init.mp4"), template, kind);
  }

  private void clear(String clip, Path target) throws IOException {
    List<String> arguments = new ArrayList<>();
    for (String kind : List.of("video", "audio")) {
      arguments.add(
          "in=%s,stream=%s,init_segment=%s,segment_template=%s,playlist_name=%s,%s"
              .formatted(
                  directory.resolve(clip),
                  kind,
                  target.resolve("clear_" + kind + ".mp4"),
                  target.resolve("clear_" + kind + "_$Number$.m4s"),
                  kind + ".m3u8",
                  kind.equals("audio") ? "hls_group_id=audio,hls_name=sound" : "hls_name=picture"));
    }
    arguments.add("--segment_duration=2");
    arguments.add("--hls_master_playlist_output=" + target.resolve("index.m3u8"));
    pack(arguments);
  }

  private void files() throws IOException {
    Path target = Files.createDirectories(directory.resolve("file"));
    List<String> arguments = new ArrayList<>();
    for (String kind : List.of("video", "audio")) {
      arguments.add(
          "in=%s,stream=%s,output=%s,drm_label=%s"
              .formatted(directory.resolve("clip.mp4"), kind, target.resolve(kind + ".mp4"), kind));
    }
    arguments.addAll(protecting("cenc"));
    arguments.add("--mpd_output=" + target.resolve("index.mpd"));
    pack(arguments);
    clear("clip.mp4", target);
  }

  /** The periods of two presentations, one after the other; they have the same key ids. */
  private void periods() throws IOException {
    String first = Files.readString(directory.resolve("cenc/index.mpd"));
    String second = Files.readString(directory.resolve("other/index.mpd"));
    String both =
        PERIOD
            .matcher(first)
            .replaceFirst(
                Matcher.quoteReplacement(
                    period("a", first, "../cenc/") + period("b", second, "../other/")))
            .replaceFirst(
                "mediaPresentationDuration=\"[^\"]*\"", "mediaPresentationDuration=\"PT24S\"");
    Files.createDirectories(directory.resolve("periods"));
    Files.writeString(directory.resolve("periods/index.mpd"), both);
  }

  private static String period(String id, String mpd, String base) {
    String content =
        PERIOD.matcher(mpd).results().map(match -> match.group(1)).collect(Collectors.joining());
    return "<Period id=\"%s\" duration=\"PT%dS\"><BaseURL>%s</BaseURL>%s</Period>"
        .formatted(id, SECONDS, base, content);
  }

  private static List<String> protecting(String scheme) {
    String[] ids = KEY_IDS.split(",", -1);
    String[] keys = KEYS.split(",", -1);
    return List.of(
        "--segment_duration=2",
        "--clear_lead=0",
        "--enable_raw_key_encryption",
        "--protection_scheme=" + scheme,
        "--keys=label=video:key_id=%s:key=%s,label=audio:key_id=%s:key=%s"
            .formatted(ids[0], keys[0], ids[1], keys[1]));
  }

  private static void pack(List<String> arguments) throws IOException {
    run(ExternalProgram.requiredModule(PACKAGER), arguments);
  }

  private static void run(ExternalProgram program, List<String> arguments) throws IOException {
    ExternalProgram.Outcome outcome = program.run(SOON, arguments.toArray(String[]::new));
    if (outcome.exit() != 0) {
      throw new AssertionError("no fixture: " + outcome.errors());
    }
  }
}
