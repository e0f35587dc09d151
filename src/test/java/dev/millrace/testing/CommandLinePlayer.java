package dev.millrace.testing;

import dev.millrace.testing.ExternalProgram.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A player without a window. */
public enum CommandLinePlayer {
  /** The one on the PATH. */
  FFMPEG {
    @Override
    Playback run(Path directory, String url, int seconds) throws IOException {
      return decode(ExternalProgram.required("ffmpeg"), url, seconds);
    }
  },

  /** The one that the build unpacks: it refuses addresses whose ending does not fit the media. */
  FFMPEG_8 {
    @Override
    Playback run(Path directory, String url, int seconds) throws IOException {
      return decode(ExternalProgram.unpacked("ffmpeg"), url, seconds);
    }
  },

  /** In the programme's own time; its sound and picture go nowhere. */
  MPV {
    @Override
    Playback run(Path directory, String url, int seconds) throws IOException {
      Path script = Files.createTempDirectory(directory, "mpv").resolve("watch.lua");
      try (InputStream in = CommandLinePlayer.class.getResourceAsStream("players/mpv.lua")) {
        Files.copy(in, script);
      }
      return watch(
          List.of(
              "--no-config",
              "--vo=null",
              "--ao=null",
              "--ytdl=no",
              "--msg-level=all=error,watch=info",
              "--script=" + script,
              "--length=" + (seconds > 0 ? seconds : HOUR_SECONDS),
              url),
          seconds);
    }
  },

  /** Writes what it gets to a file, which ffmpeg reads then. It joins no sound to the picture. */
  STREAMLINK {
    @Override
    Playback run(Path directory, String url, int seconds) throws IOException {
      Path file = Files.createTempDirectory(directory, "streamlink").resolve("media");
      List<String> arguments = new ArrayList<>(List.of("--loglevel", "error"));
      arguments.addAll(List.of("--ffmpeg-ffmpeg", "/nowhere/ffmpeg"));
      if (seconds > 0) {
        arguments.addAll(List.of("--hls-duration", String.valueOf(seconds)));
      }
      arguments.addAll(List.of("-o", file.toString(), "hls://" + url, "best"));
      Outcome outcome = outcome(ExternalProgram.required("streamlink"), arguments, seconds);
      Playback media = copy(file);
      return new Playback(media.seconds(), troubles(outcome), media.content());
    }
  };

  private static final int HOUR_SECONDS = 3_600;
  private static final Pattern PLAYED = Pattern.compile("eof after ([0-9.]+)");

  /**
   * Plays.
   *
   * @param directory for files of its own
   * @param seconds how long; 0 = to the end
   */
  public final Playback play(Path directory, String url, int seconds) {
    try {
      return run(directory, url, seconds);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  abstract Playback run(Path directory, String url, int seconds) throws IOException;

  private static Playback decode(ExternalProgram ffmpeg, String url, int seconds)
      throws IOException {
    List<String> arguments =
        Stream.of("-nostdin", "-v", "error", "-i", url, "-map", "0:v:0", "-map", "0:a:0")
            .collect(Collectors.toList());
    if (seconds > 0) {
      arguments.addAll(List.of("-t", String.valueOf(seconds)));
    }
    arguments.addAll(List.of("-f", "framehash", "-hash", "adler32", "-"));
    return frames(outcome(ffmpeg, arguments, seconds));
  }

  private static Playback copy(Path file) throws IOException {
    List<String> arguments = List.of("-nostdin", "-v", "error", "-i", file.toString());
    List<String> pictures = List.of("-map", "0:v:0", "-c", "copy", "-f", "framehash", "-");
    List<String> all = Stream.of(arguments, pictures).flatMap(List::stream).toList();
    return frames(outcome(ExternalProgram.required("ffmpeg"), all, 0));
  }

  private static Playback frames(Outcome outcome) {
    String content =
        outcome
            .output()
            .lines()
            .filter(line -> !line.startsWith("#"))
            .collect(Collectors.joining("\n"));
    long pictures = content.lines().filter(line -> line.startsWith("0,")).count();
    return new Playback(
        (double) pictures / HlsFixtures.FRAMES_PER_SECOND, troubles(outcome), content);
  }

  private static Playback watch(List<String> arguments, int seconds) throws IOException {
    Outcome outcome = outcome(ExternalProgram.required("mpv"), arguments, seconds);
    Matcher played = PLAYED.matcher(outcome.output());
    double duration = played.find() ? Double.parseDouble(played.group(1)) : 0;
    return new Playback(duration, troubles(outcome), "");
  }

  /**
   * All it says, but for the complaints of ffmpeg 8 about the first fragment of a segment of many,
   * which it looks into before it knows how, and those of mpv about edit lists behind a
   * discontinuity, which it has of the same media from files, too.
   */
  private static List<String> troubles(Outcome outcome) {
    Stream<String> exit = outcome.exit() == 0 ? Stream.of() : Stream.of("exit " + outcome.exit());
    Stream<String> printed = outcome.output().lines().filter(line -> line.startsWith("["));
    Stream<String> said =
        Stream.concat(printed, outcome.errors().lines())
            .filter(line -> !line.isBlank() && !line.startsWith("[NULL @"))
            .filter(line -> !line.contains("Edit lists are not correctly supported"))
            .filter(line -> !PLAYED.matcher(line).find());
    return Stream.concat(exit, said).toList();
  }

  private static Outcome outcome(ExternalProgram program, List<String> arguments, int seconds)
      throws IOException {
    return program.run(Duration.ofSeconds(90 + seconds), arguments.toArray(String[]::new));
  }
}
