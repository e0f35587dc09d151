package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.link.LinkConfig;
import dev.millrace.link.LinkFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LinkSecretsTest {
  private static final String SECRET = "0123456789abcdef";

  @TempDir private Path temporary;

  private Path directory;
  private Path file;

  @BeforeEach
  void choose() {
    directory = temporary.resolve("a/state");
    file = directory.resolve("link-secret");
  }

  private static LinkConfig config(List<String> secrets, Optional<Path> directory, boolean chosen) {
    return new LinkConfig(secrets, directory, chosen, LinkFormat.V2, true);
  }

  private LinkSecrets kept() throws BadSecretException {
    return LinkSecrets.of(config(List.of(), Optional.of(directory), true));
  }

  private void write(String text, String permissions) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  @Test
  void takesTheSecretsOfTheSettings_andTouchesNoFile() throws Exception {
    LinkSecrets secrets =
        LinkSecrets.of(config(List.of(SECRET, "older-0123456789"), Optional.of(directory), true));

    assertThat(secrets.secrets()).containsExactly(SECRET, "older-0123456789");
    assertThat(secrets.problem()).isEmpty();
    assertThat(directory).doesNotExist();
  }

  @Test
  void makesAFileThatOnlyItsOwnerReads() throws Exception {
    LinkSecrets secrets = kept();

    assertThat(secrets.problem()).isEmpty();
    assertThat(secrets.secrets()).singleElement().asString().matches("[A-Za-z0-9_-]{43}");
    assertThat(file).hasContent(secrets.secrets().get(0));
    assertThat(permissions(file)).isEqualTo("rw-------");
    assertThat(permissions(directory)).isEqualTo("rwx------");
    assertThat(permissions(directory.getParent())).isEqualTo("rwx------");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactly(file);
    }
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void readsItAgain() throws Exception {
    assertThat(kept()).isEqualTo(kept());
  }

  @Test
  void leavesTheDirectoryAsItIs() throws Exception {
    Files.createDirectories(directory);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));

    kept();

    assertThat(permissions(directory)).isEqualTo("rwxr-xr-x");
  }

  @Test
  void followsLinksToDirectories() throws Exception {
    Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
    Files.createDirectories(directory.getParent());
    Files.createSymbolicLink(directory, elsewhere);

    kept();

    assertThat(elsewhere.resolve("link-secret")).exists();
  }

  @Test
  void givesAllWhoComeAtOnceTheSame() throws Exception {
    int count = 16;
    CountDownLatch ready = new CountDownLatch(count);
    ExecutorService threads = Executors.newFixedThreadPool(count);
    try {
      List<Future<LinkSecrets>> all =
          IntStream.range(0, count)
              .mapToObj(
                  i ->
                      threads.submit(
                          () -> {
                            ready.countDown();
                            ready.await();
                            return kept();
                          }))
              .toList();
      for (Future<LinkSecrets> one : all) {
        assertThat(one.get()).isEqualTo(kept());
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void takesASecretOfTheOperator() throws Exception {
    write(SECRET + "\n", "r--------");

    assertThat(kept().secrets()).containsExactly(SECRET);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw-rw-rw-"})
  void refusesAFileOfOthers(String permissions) throws Exception {
    write(SECRET, permissions);

    assertThatThrownBy(this::kept)
        .isInstanceOf(BadSecretException.class)
        .hasMessageStartingWith(file + ": not its owner's alone")
        .hasMessageContaining("chmod 600")
        .hasMessageNotContaining(SECRET);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " \n", "0123456789abcde\n"})
  void refusesAFileThatSaysTooLittle(String text) throws Exception {
    write(text, "rw-------");

    assertThatThrownBy(this::kept)
        .isInstanceOf(BadSecretException.class)
        .hasMessageStartingWith(file + ": empty or too short (expected: at least 16 characters")
        .hasMessageNotContaining("0123");
  }

  @Test
  void takesAFileOfTheGreatestSize_andNoLarger() throws Exception {
    write("x".repeat(4096), "rw-------");
    assertThat(kept().secrets()).containsExactly("x".repeat(4096));

    write("x".repeat(4097), "rw-------");
    assertThatThrownBy(this::kept).hasMessageContaining("at most 4096 bytes");
  }

  @Test
  void refusesAFileThatIsNoText() throws Exception {
    write("", "rw-------");
    Files.write(file, new byte[] {(byte) 0xFF, 1, 2, 3});

    assertThatThrownBy(this::kept).hasMessageStartingWith(file + ": no secret");
  }

  @Test
  void refusesAChosenDirectoryThatCannotBeMade() throws Exception {
    Files.writeString(temporary.resolve("a"), "a file");

    assertThatThrownBy(this::kept)
        .isInstanceOf(BadSecretException.class)
        .hasMessageMatching("STATE_DIR: .*a/state cannot be used: .*\\(expected: a directory .*");
  }

  @Test
  void refusesAChosenDirectoryThatIsAFile() throws Exception {
    directory = Files.writeString(temporary.resolve("file"), "");

    assertThatThrownBy(this::kept)
        .isInstanceOf(BadSecretException.class)
        .hasMessageStartingWith("STATE_DIR: " + directory + " cannot be used: ");
  }

  @Test
  void makesDoWithASecretOfThisRun_ifNobodyChoseThePlace() throws Exception {
    Files.writeString(temporary.resolve("a"), "a file");
    LinkConfig config = config(List.of(), Optional.of(directory), false);

    LinkSecrets first = LinkSecrets.of(config);

    assertThat(first.problem().orElseThrow())
        .contains("cannot be used", "STATE_DIR", "LINK_SECRET");
    assertThat(LinkSecrets.of(config).secrets()).isNotEqualTo(first.secrets());
    assertThat(LinkSecrets.of(config(List.of(), Optional.empty(), false)).problem()).isPresent();
  }

  @Test
  void refusesABadFile_evenIfNobodyChoseThePlace() throws Exception {
    write("", "rw-------");

    assertThatThrownBy(() -> LinkSecrets.of(config(List.of(), Optional.of(directory), false)))
        .isInstanceOf(BadSecretException.class);
  }

  @Test
  void showsNothingSecret() throws Exception {
    LinkSecrets secrets = kept();

    assertThat(secrets.toString()).doesNotContain(secrets.secrets().get(0));
  }
}
