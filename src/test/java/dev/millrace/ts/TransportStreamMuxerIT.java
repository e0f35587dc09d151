package dev.millrace.ts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.mp4.InitSegment;
import dev.millrace.testing.Chunkings;
import dev.millrace.testing.ExternalProgram;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Films made by ffmpeg, in fragments, become transport streams in which ffmpeg finds every picture
 * and every sample of sound again, each at its time.
 */
@Timeout(120)
class TransportStreamMuxerIT {
  private static final String PICTURES = "-f lavfi -i testsrc2=size=320x180:rate=25:duration=4 ";
  private static final String SOUND =
      "-f lavfi -i sine=frequency=440:sample_rate=48000:duration=4 ";
  private static final String FRAGMENTS =
      " -movflags +frag_keyframe+empty_moov+delay_moov+default_base_moof -frag_duration 1000000 ";

  private static final Duration SOON = Duration.ofSeconds(60);

  /** What all times are later. */
  private static final long LEAD = 90_000;

  @TempDir private Path directory;

  private static String run(List<String> words) throws IOException {
    ExternalProgram.Outcome outcome =
        ExternalProgram.required("ffmpeg").run(SOON, words.toArray(String[]::new));
    assertThat(outcome.exit()).as(outcome.errors()).isZero();
    return outcome.output();
  }

  private byte[] film(String arguments) throws IOException {
    Path file = directory.resolve("film.mp4");
    List<String> words = new ArrayList<>(List.of("-v", "error", "-y"));
    words.addAll(List.of((arguments + FRAGMENTS).strip().split(" +", -1)));
    words.add(file.toString());
    run(words);
    return Files.readAllBytes(file);
  }

  private static byte[] muxed(List<byte[]> chunks) throws IOException {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    try (TransportStreamMuxer muxer = new TransportStreamMuxer(InitSegment.EMPTY)) {
      for (byte[] chunk : chunks) {
        muxer.accept(ByteBuffer.wrap(chunk), output -> put(output, stream));
      }
      muxer.finish(output -> put(output, stream));
    }
    return stream.toByteArray();
  }

  private static void put(ByteBuffer output, ByteArrayOutputStream stream) {
    assertThat(output.remaining()).isLessThanOrEqualTo(64 << 10);
    while (output.hasRemaining()) {
      stream.write(output.get());
    }
  }

  /** Time on the clock of 90 kHz and digest of each picture or piece of sound. */
  private List<String> frames(Path file, String kind, long lead) throws IOException {
    List<String> input = new ArrayList<>(List.of("-v", "error", "-copyts"));
    if (file.toString().endsWith(".mp4")) {
      input.addAll(List.of("-ignore_editlist", "1"));
    }
    input.addAll(List.of("-i", file.toString(), "-map", "0:" + kind, "-vsync", "0"));
    input.addAll(List.of("-f", "framemd5", "-"));
    String output = run(input);
    double[] base = {0};
    return Stream.of(output.split("\n", -1))
        .peek(line -> base[0] = line.startsWith("#tb") ? timeBase(line) : base[0])
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .map(line -> line.split(", *", -1))
        .map(f -> Math.round(Long.parseLong(f[2]) * base[0] - lead / 10.0) + " " + f[f.length - 1])
        .toList();
  }

  /** In milliseconds × 9, which both sides can say. */
  private static double timeBase(String line) {
    String[] fraction = line.substring(line.indexOf(':') + 1).strip().split("/", -1);
    return 9_000.0 * Long.parseLong(fraction[0]) / Long.parseLong(fraction[1]);
  }

  private static long earlier(String codec) {
    return codec.contains("negative_cts_offsets") ? 3_600 : 0;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pictures decoded early|v|-c:v libx264 -bf 2 -g 25 -pix_fmt yuv420p",
        "signed offsets, ffmpeg counts from the first decoding time|v|-c:v libx264 -bf 2 -g 25 -pix_fmt yuv420p -movflags +negative_cts_offsets",
        "no B frames|v|-c:v libx264 -bf 0 -g 25 -pix_fmt yuv420p",
        "H.265|v|-c:v libx265 -x265-params log-level=error:keyint=25 -pix_fmt yuv420p -tag:v hvc1",
        "H.265 in band|v|-c:v libx265 -x265-params log-level=error:keyint=25 -tag:v hev1",
        "AAC|a|-c:a aac",
        "AAC of six|a|-ac 6 -c:a aac",
        "AC-3|a|-c:a ac3",
        "E-AC-3|a|-c:a eac3",
      })
  void bringsEveryFrame(String name, String kind, String codec) throws IOException {
    byte[] film = film((kind.equals("v") ? PICTURES : SOUND) + codec);

    byte[] stream = muxed(List.of(film));

    Path ts = Files.write(directory.resolve("film.ts"), stream);
    List<String> expected = frames(directory.resolve("film.mp4"), kind, earlier(codec));
    assertThat(expected).hasSizeGreaterThan(50);
    assertThat(frames(ts, kind, LEAD)).as(name).isEqualTo(expected);
    for (List<byte[]> chunks : Chunkings.of(film).toList()) {
      assertThat(muxed(chunks)).as(name).isEqualTo(stream);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"both|-c:v libx264 -bf 2 -g 25 -pix_fmt yuv420p -c:a aac"})
  void keepsSoundAndPicturesTogether(String name, String codecs) throws IOException {
    byte[] film = film(PICTURES + SOUND + codecs);

    Path ts = Files.write(directory.resolve("film.ts"), muxed(List.of(film)));

    for (String kind : List.of("v", "a")) {
      assertThat(frames(ts, kind, LEAD))
          .as(name)
          .isEqualTo(frames(directory.resolve("film.mp4"), kind, 0));
    }
    assertThat(new TransportPackets(Files.readAllBytes(ts)).problems()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1,800", "25,80", "50,80"})
  void tellsTheTimeOften(int rate, int mostMillis) throws IOException {
    String pictures = PICTURES.replace("rate=25", "rate=" + rate);
    byte[] film = film(pictures + "-c:v libx264 -bf 2 -pix_fmt yuv420p");

    TransportPackets packets = new TransportPackets(muxed(List.of(film)));

    assertThat(packets.problems()).isEmpty();
    assertThat(packets.longestClockStep()).isLessThanOrEqualTo(90L * Math.min(100, mostMillis));
  }
}
