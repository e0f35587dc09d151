package dev.millrace.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * HLS of every kind, made by ffmpeg from two small clips of {@link #SECONDS} seconds (20 frames a
 * second, a key frame and a segment every two seconds) into one directory. Each playlist lies at
 * {@code NAME/index.m3u8}: {@code ts}, {@code fmp4}, {@code range} (one file, EXT-X-BYTERANGE),
 * {@code aes} (AES-128), {@code cut} (a discontinuity after half of it), {@code multi} (two
 * variants, two languages, WebVTT). {@code ll.mp4} is longer and has a fragment every half second,
 * for {@link LowLatencyHls}; {@link #startLive} writes {@code live/index.m3u8}.
 */
public final class HlsFixtures {
  public static final int SECONDS = 12;
  public static final int FRAMES_PER_SECOND = 20;
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final String SOUND = "sine=sample_rate=48000:frequency=";
  private static final String SEGMENTS_BEFORE_LIVE = "100";

  /** What is played, and in which order: RFC 8216 §8.5 with subtitles. */
  private static final String MULTIVARIANT =
      """
      #EXTM3U
      #EXT-X-VERSION:7
      #EXT-X-INDEPENDENT-SEGMENTS
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aud",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="en/index.m3u8"
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aud",NAME="Deutsch",LANGUAGE="de",AUTOSELECT=YES,URI="de/index.m3u8"
      #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="sub",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="sub/index.m3u8"
      #EXT-X-STREAM-INF:BANDWIDTH=600000,RESOLUTION=320x180,CODECS="avc1.42c00c,mp4a.40.2",AUDIO="aud",SUBTITLES="sub"
      high/index.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=200000,RESOLUTION=160x90,CODECS="avc1.42c00a,mp4a.40.2",AUDIO="aud",SUBTITLES="sub"
      low/index.m3u8
      """;

  private static final String SUBTITLES =
      """
      #EXTM3U
      #EXT-X-TARGETDURATION:6
      #EXT-X-PLAYLIST-TYPE:VOD
      #EXTINF:6,
      0.vtt
      #EXTINF:6,
      1.vtt
      #EXT-X-ENDLIST
      """;

  private final Path directory;

  private HlsFixtures(Path directory) {
    this.directory = directory;
  }

  /**
   * Makes them; takes some seconds.
   *
   * @param lowLatencySeconds length of {@code ll.mp4}
   */
  public static HlsFixtures make(Path directory, int lowLatencySeconds) throws IOException {
    HlsFixtures fixtures = new HlsFixtures(directory);
    fixtures.clip("clip.mp4", "testsrc2=size=320x180", 440, SECONDS);
    fixtures.clip("low.mp4", "testsrc=size=160x90", 660, SECONDS);
    fixtures.clip("long.mp4", "testsrc2=size=320x180", 440, lowLatencySeconds);
    fixtures.plain();
    fixtures.encrypted();
    fixtures.discontinuous();
    fixtures.multivariant();
    fixtures.fragmented();
    return fixtures;
  }

  public Path directory() {
    return directory;
  }

  public Path playlist(String name) {
    return directory.resolve(name).resolve("index.m3u8");
  }

  /** ffmpeg as a live encoder: a window of ten segments, older ones are deleted. */
  public static Process startLive(Path directory) throws IOException {
    Path live = Files.createDirectories(directory.resolve("live"));
    Path log = directory.resolve("live.log");
    List<String> arguments = new ArrayList<>(List.of("-nostdin", "-v", "error", "-re"));
    arguments.addAll(lavfi("testsrc2=size=320x180:rate=20"));
    arguments.addAll(lavfi(SOUND + 440));
    arguments.addAll(encoding());
    arguments.addAll(List.of("-f", "hls", "-hls_time", "2", "-hls_list_size", "10"));
    arguments.addAll(List.of("-hls_flags", "delete_segments+temp_file"));
    arguments.addAll(List.of("-start_number", SEGMENTS_BEFORE_LIVE));
    arguments.add(live.resolve("index.m3u8").toString());
    return ExternalProgram.required("ffmpeg").start(log, log, arguments.toArray(String[]::new));
  }

  private void clip(String name, String picture, int hertz, int seconds) throws IOException {
    List<String> arguments = new ArrayList<>(lavfi(picture + ":rate=20"));
    arguments.addAll(lavfi(SOUND + hertz));
    arguments.addAll(lavfi(SOUND + 2 * hertz));
    arguments.addAll(List.of("-map", "0:v", "-map", "1:a", "-map", "2:a"));
    arguments.addAll(encoding());
    arguments.addAll(List.of("-t", String.valueOf(seconds)));
    ffmpeg(arguments, directory.resolve(name));
  }

  private static List<String> lavfi(String graph) {
    return List.of("-f", "lavfi", "-i", graph);
  }

  private static List<String> encoding() {
    return List.of(
        ("-c:v libx264 -preset ultrafast -crf 30 -g 40 -keyint_min 40 -sc_threshold 0"
                + " -pix_fmt yuv420p -c:a aac -b:a 64k")
            .split(" "));
  }

  private void plain() throws IOException {
    segment("clip.mp4", "ts", "0:v", "0:a:0");
    segment("clip.mp4", "fmp4", "0:v", "0:a:0", "-hls_segment_type", "fmp4");
    segment(
        "clip.mp4",
        "range",
        "0:v",
        "0:a:0",
        "-hls_segment_type",
        "fmp4",
        "-hls_flags",
        "single_file");
  }

  private void encrypted() throws IOException {
    byte[] key = new byte[16];
    new Random(7).nextBytes(key);
    Path file = Files.createDirectories(directory.resolve("aes")).resolve("video.key");
    Files.write(file, key);
    Path about = directory.resolve("aes.info");
    Files.writeString(about, "video.key\n" + file + '\n');
    segment("clip.mp4", "aes", "0:v", "0:a:0", "-hls_key_info_file", about.toString());
  }

  private void discontinuous() throws IOException {
    segment("low.mp4", "other", "0:v", "0:a:0");
    List<String> first = Files.readAllLines(playlist("ts"));
    List<String> then = Files.readAllLines(playlist("other"));
    int head = first.indexOf("index0.ts") - 1;
    List<String> lines = new ArrayList<>(first.subList(0, head));
    first.subList(head, head + 6).forEach(line -> lines.add(line.replace("index", "../ts/index")));
    lines.add("#EXT-X-DISCONTINUITY");
    then.subList(head, head + 6)
        .forEach(line -> lines.add(line.replace("index", "../other/index")));
    lines.add("#EXT-X-ENDLIST");
    Files.createDirectories(directory.resolve("cut"));
    Files.write(playlist("cut"), lines);
  }

  private void multivariant() throws IOException {
    segment("clip.mp4", "multi/high", "0:v", "-0:a", "-hls_segment_type", "fmp4");
    segment("low.mp4", "multi/low", "0:v", "-0:a", "-hls_segment_type", "fmp4");
    segment("clip.mp4", "multi/en", "0:a:0", "-0:v", "-hls_segment_type", "fmp4");
    segment("clip.mp4", "multi/de", "0:a:1", "-0:v", "-hls_segment_type", "fmp4");
    Path subtitles = Files.createDirectories(directory.resolve("multi/sub"));
    cue(subtitles.resolve("0.vtt"), "00:00:01.000 --> 00:00:04.000");
    cue(subtitles.resolve("1.vtt"), "00:00:07.000 --> 00:00:10.000");
    Files.writeString(subtitles.resolve("index.m3u8"), SUBTITLES);
    Files.writeString(playlist("multi"), MULTIVARIANT);
  }

  private static void cue(Path file, String time) throws IOException {
    Files.writeString(file, "WEBVTT\n\n" + time + "\na cue\n");
  }

  private void fragmented() throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-i", path("long.mp4")));
    arguments.addAll(List.of("-map", "0:v", "-map", "0:a:0", "-c", "copy", "-f", "mp4"));
    arguments.addAll(List.of("-movflags", "empty_moov+default_base_moof+frag_keyframe"));
    arguments.addAll(List.of("-frag_duration", "500000"));
    ffmpeg(arguments, directory.resolve("ll.mp4"));
  }

  private void segment(String clip, String name, String... mapsAndOptions) throws IOException {
    Files.createDirectories(directory.resolve(name));
    List<String> arguments = new ArrayList<>(List.of("-i", path(clip)));
    arguments.addAll(List.of("-map", mapsAndOptions[0], "-map", mapsAndOptions[1], "-c", "copy"));
    arguments.addAll(List.of("-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod"));
    arguments.addAll(List.of(mapsAndOptions).subList(2, mapsAndOptions.length));
    ffmpeg(arguments, playlist(name));
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  private static void ffmpeg(List<String> arguments, Path target) throws IOException {
    String[] all =
        Stream.of(List.of("-nostdin", "-v", "error", "-y"), arguments, List.of(target.toString()))
            .flatMap(List::stream)
            .toArray(String[]::new);
    ExternalProgram.Outcome outcome = ExternalProgram.required("ffmpeg").run(SOON, all);
    if (outcome.exit() != 0) {
      throw new AssertionError("ffmpeg makes no " + target + ": " + outcome.errors());
    }
  }
}
