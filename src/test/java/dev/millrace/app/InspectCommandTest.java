package dev.millrace.app;

import static dev.millrace.testing.BoxBuilder.box;
import static dev.millrace.testing.BoxBuilder.file;
import static dev.millrace.testing.BoxBuilder.full;
import static dev.millrace.testing.Movies.audio;
import static dev.millrace.testing.Movies.descriptions;
import static dev.millrace.testing.Movies.movie;
import static dev.millrace.testing.Movies.protection;
import static dev.millrace.testing.Movies.track;
import static dev.millrace.testing.Movies.video;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.BoxBuilder;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InspectCommandTest {
  private static final BoxBuilder FTYP = box("ftyp").text("iso6").u32(0);

  @TempDir private Path directory;

  private record Finished(int status, String out, String err) {
    /** Without the number of blanks. */
    List<String> lines() {
      return out.lines().map(line -> line.strip().replaceAll(" +", " ")).toList();
    }
  }

  private static Finished run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        new Main(
                InputStream.nullInputStream(),
                new PrintStream(out, true, UTF_8),
                new PrintStream(err, true, UTF_8))
            .run(args);
    return new Finished(status, out.toString(UTF_8), err.toString(UTF_8));
  }

  private Finished inspect(byte[] file) throws Exception {
    return run("inspect", Files.write(directory.resolve("film.mp4"), file).toString());
  }

  @Test
  void printsTheTreeOfBoxes() throws Exception {
    BoxBuilder traf = box("traf").box(full("tfhd", 0, 0).u32(1));
    Finished finished = inspect(file(FTYP, box("moof").box(traf), box("mdat").zeros(5)));

    assertThat(finished.status()).as(finished.err()).isZero();
    assertThat(finished.lines())
        .containsExactly("ftyp 0 16", "moof 16 32", "traf 24 24", "tfhd 32 16", "mdat 48 13");
    assertThat(finished.out()).contains("\n  traf ", "\n    tfhd ");
  }

  @Test
  void printsTracks() throws Exception {
    BoxBuilder tenc = full("tenc", 1, 0).u8(0).u8(0x19).u8(1).u8(0).zeros(15).u8(7).u8(8).zeros(8);
    BoxBuilder first = descriptions(video("encv", protection("avc1", "cbcs", tenc)), video("avc1"));
    BoxBuilder second = descriptions(audio("enca", 0, protection("mp4a", "cenc")));

    Finished finished = inspect(file(FTYP, movie(track(1, first), track(2, second))));

    assertThat(finished.lines())
        .contains("sinf 423 89")
        .endsWith(
            "track 1: vide, 90000 units per second",
            "avc1, cbcs, key id 00000000000000000000000000000007, constant IV, pattern 1:9",
            "avc1, clear",
            "track 2: vide, 90000 units per second",
            "mp4a, cenc, key id c0ffee00112233445566778899aabb01, IV of 8");
  }

  @Test
  void passesOverMediaOfAnySize() throws Exception {
    Path path = directory.resolve("long.mp4");
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.write(file(FTYP, box("mdat").large().claiming(3L << 30)));
      file.setLength(16 + (3L << 30)); // sparse
      file.seek(file.length());
      file.write(box("mdat").endless().zeros(4).bytes());
    }

    Finished finished = run("inspect", path.toString());

    assertThat(finished.lines())
        .containsExactly("ftyp 0 16", "mdat 16 3221225472", "mdat 3221225488 12");
  }

  @Test
  void saysWhereTheFileEnds_afterWhatIsThere() throws Exception {
    Finished inMedia = inspect(file(FTYP, box("mdat").claiming(100)));
    Finished inHeader = inspect(file(FTYP, new byte[5]));
    Finished inMovie = inspect(file(FTYP, box("moov").claiming(1 << 30)));

    assertThat(inMedia.status()).isEqualTo(Main.CANNOT_START);
    assertThat(inMedia.lines()).containsExactly("ftyp 0 16", "mdat 16 100");
    assertThat(inMedia.err())
        .contains("film.mp4: The file ends 92 bytes before its last box does.");
    assertThat(inHeader.err()).contains("ends in the header of a box at 16.");
    assertThat(inMovie.err()).contains("The file ends");
  }

  @Test
  void saysWhatIsNoBox() throws Exception {
    BoxBuilder deep = box("trak");
    for (int i = 0; i < 40; i++) {
      deep = box("trak").box(deep);
    }

    assertThat(inspect(file(FTYP, new byte[] {0, 0, 0, 3, 1, 2, 3, 4})).err())
        .contains("No box begins at 16.");
    assertThat(inspect(file(box("moof").box(deep))).err()).contains("deeper than 16");
    assertThat(inspect(file(box("moof").box(box("traf").claiming(99)))).err()).contains("longer");
  }

  @Test
  void doesNotOpenAMovieOverItsLimit() throws Exception {
    BoxBuilder most = box("free").zeros(FileOutline.MAX_OPENED - 16);
    BoxBuilder tooLong = box("free").zeros(FileOutline.MAX_OPENED - 15);

    assertThat(inspect(box("moov").box(most).bytes()).lines()).hasSize(2);
    assertThat(inspect(box("moov").box(tooLong).bytes()).lines())
        .containsExactly("moov 0 33554433");
  }

  @Test
  void saysWhatItNeeds() {
    Finished missing = run("inspect", directory.resolve("none.mp4").toString());

    assertThat(missing.status()).isEqualTo(Main.CANNOT_START);
    assertThat(missing.err()).contains("No such file: ").contains("none.mp4");
    assertThat(run("inspect").status()).isEqualTo(Main.BAD_USAGE);
    assertThat(run("inspect").err()).contains("FILE is missing", "millrace inspect --help");
    assertThat(run("inspect", "--help").out()).contains("millrace inspect FILE");
    assertThat(run("--set", "A=B", "inspect").err()).contains("The command comes first");
    assertThat(run("--help").out()).contains("millrace inspect FILE");
  }
}
