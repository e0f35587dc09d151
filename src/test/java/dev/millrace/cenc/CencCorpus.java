package dev.millrace.cenc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.testing.Corpus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The encrypted files of the corpus that there are keys for, as whole films. */
final class CencCorpus {
  private static final Pattern KEY = Pattern.compile("([0-9a-f]{32}):([0-9a-f]{32})");
  private static final Pattern FILE = Pattern.compile("[\\w/.-]+\\.(?:mp4|m4s)");
  private static final Pattern SEGMENT =
      Pattern.compile("(.*?)[-_.](?:init|[0-9]+)\\.(?:mp4|m4s)|(.*)/init\\.mp4");

  private CencCorpus() {}

  /**
   * A film: one file, or an init segment and all media segments of its name, in their order.
   *
   * @param name of its first file
   * @param files what it is made of
   * @param keys for it
   * @param golden what its samples should be; absent if nothing is there to compare with
   */
  record Film(String name, List<Path> files, KeyRing keys, Optional<Path> golden) {
    byte[] bytes() {
      return joined(files);
    }

    /** With the same init segment, if the golden one has none. */
    byte[] goldenBytes() {
      Path clear = golden.orElseThrow();
      return clear.toString().endsWith(".m4s")
          ? joined(List.of(files.get(0), clear))
          : joined(List.of(clear));
    }

    @Override
    public String toString() {
      return name;
    }

    private static byte[] joined(List<Path> files) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      try {
        for (Path file : files) {
          all.writeBytes(Files.readAllBytes(file));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return all.toByteArray();
    }
  }

  static Stream<Film> films() {
    Map<String, Film> films = new TreeMap<>();
    for (String[] row : rows()) {
      if (row[1].equals("mp4-encrypted") && KEY.matcher(row[8]).find()) {
        Film film = film(row[0], row[8], row[9]);
        films.merge(film.name(), film, (a, b) -> a.golden().isPresent() ? a : b);
      }
    }
    return films.values().stream();
  }

  /** Files of class {@code mp4-encrypted} with a key, as the list has them. */
  static long rowsWithKeys() {
    return rows().stream()
        .filter(row -> row[1].equals("mp4-encrypted") && KEY.matcher(row[8]).find())
        .count();
  }

  private static List<String[]> rows() {
    try {
      return Files.readAllLines(root().resolve("SOURCES.tsv"), UTF_8).stream()
          .map(line -> line.split("\t", -1))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path root() {
    return Corpus.directory().resolve("cenc");
  }

  private static Film film(String file, String keys, String expected) {
    List<Path> files = files(root().resolve(file));
    String name = root().relativize(files.get(0)).toString();
    return new Film(name, files, ring(keys), golden(file, expected));
  }

  private static List<Path> files(Path file) {
    String stem = stem(file);
    if (stem.isEmpty()) {
      return List.of(file);
    }
    Path directory = file.getParent();
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(other -> stem(other).equals(stem) && !other.toString().contains("_dec"))
          .sorted(
              (a, b) ->
                  Boolean.compare(isInit(b), isInit(a)) != 0
                      ? Boolean.compare(isInit(b), isInit(a))
                      : a.compareTo(b))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isInit(Path file) {
    return file.getFileName().toString().contains("init");
  }

  /** What an init segment and its media segments have in common; nothing for other files. */
  private static String stem(Path file) {
    if (file.getParent().endsWith("PIFF/audio")) {
      return "PIFF";
    }
    Matcher segment = SEGMENT.matcher(file.getFileName().toString());
    boolean isOfMany = segment.matches() && !file.toString().contains("dashinit");
    return isOfMany && hasInit(file, segment.group(1)) ? segment.group(1) : "";
  }

  private static boolean hasInit(Path file, String stem) {
    return Stream.of("-init.mp4", "_init.mp4")
        .anyMatch(end -> Files.exists(file.resolveSibling(stem + end)));
  }

  private static KeyRing ring(String text) {
    Map<KeyId, ContentKey> keys = new HashMap<>();
    Matcher key = KEY.matcher(text);
    while (key.find()) {
      for (int turn = 0; turn < (text.contains("rotated") ? 8 : 1); turn++) {
        keys.put(KeyId.of(rotated(key.group(1), turn)), ContentKey.of(rotated(key.group(2), turn)));
      }
    }
    return KeyRing.of(keys);
  }

  private static byte[] rotated(String digits, int bytes) {
    return HexFormat.of().parseHex(digits.substring(2 * bytes) + digits.substring(0, 2 * bytes));
  }

  private static Optional<Path> golden(String file, String expected) {
    Matcher named = FILE.matcher(expected);
    Optional<Path> golden = Optional.empty();
    while (named.find()) {
      String name = named.group();
      Path base =
          name.startsWith("cenc/")
              ? root().getParent()
              : name.startsWith("made/") ? root() : root().resolve(file).getParent();
      golden = Optional.of(base.resolve(name));
    }
    return golden.filter(Files::exists);
  }
}
