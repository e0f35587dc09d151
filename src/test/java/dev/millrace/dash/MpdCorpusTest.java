package dev.millrace.dash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.dash.Addressing.Part;
import dev.millrace.dash.Addressing.SegmentBase;
import dev.millrace.testing.Corpus;
import dev.millrace.testing.ExternalProgram;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Every MPD of the corpus is read, and gives segments unless {@code unplayable.tsv} says why not.
 * The segments of static ones equal those that npm {@code mpd-parser} finds, unless {@code
 * exceptions.tsv} says why not.
 */
class MpdCorpusTest {
  private static final Path RESOURCES = Path.of("src/test/resources/dev/millrace/dash");
  private static final int ALL = 100_000;

  @Test
  void readsAll() throws Exception {
    Map<String, String> unplayable = reasons("unplayable.tsv");
    TreeSet<String> empty = new TreeSet<>();
    List<Path> files = Corpus.presentations();
    for (Path file : files) {
      if (segments(read(file)) == 0) {
        empty.add(file.toString());
      }
    }
    assertThat(files).hasSizeGreaterThan(240);
    assertThat(empty).isEqualTo(new TreeSet<>(unplayable.keySet()));
  }

  /** Of all representations that are played, at a time when all of them are there. */
  private static int segments(Mpd mpd) {
    int segments = 0;
    for (Period period : mpd.periods()) {
      for (AdaptationSet set : period.adaptationSets()) {
        for (Representation one :
            set.isPlayed() ? set.representations() : List.<Representation>of()) {
          Optional<Instant> now =
              mpd.isDynamic() ? Optional.of(clock(mpd, period, one)) : Optional.empty();
          segments += SegmentPlan.of(mpd, period, one, List.of(), now, 1_000).size();
        }
      }
    }
    return segments;
  }

  /**
   * The time of publication, or when the last segment that is listed has ended if that is later.
   */
  private static Instant clock(Mpd mpd, Period period, Representation representation) {
    Instant start = mpd.availabilityStartTime().orElse(Instant.EPOCH).plus(period.start());
    Instant published = mpd.publishTime().filter(start::isBefore).orElse(start).plusSeconds(60);
    Addressing addressing = representation.addressing();
    if (!(addressing instanceof Addressing.SegmentTemplate template)
        || template.timeline().isEmpty()) {
      return published;
    }
    SegmentTimeline timeline = template.timeline().get();
    long end = 0;
    for (int i = 0; i < timeline.size(); i++) {
      end = timeline.times()[i] < 0 ? end : timeline.times()[i];
      end += timeline.durations()[i] * (1 + Math.max(0, timeline.repeats()[i]));
    }
    Instant ended =
        start.plusSeconds((end - addressing.presentationTimeOffset()) / addressing.timescale() + 1);
    return ended.isAfter(published) ? ended : published;
  }

  @Test
  void findsTheSegmentsThatAnotherReaderFinds() throws Exception {
    Map<Path, List<List<String>>> others = others(Corpus.presentations());
    Map<String, String> exceptions = reasons("exceptions.tsv");
    Map<String, String> differences = new TreeMap<>();
    for (Map.Entry<Path, List<List<String>>> entry : others.entrySet()) {
      difference(ours(read(entry.getKey())), entry.getValue())
          .ifPresent(text -> differences.put(entry.getKey().toString(), text));
    }
    assertThat(others).hasSizeGreaterThan(150);
    assertThat(differences).containsOnlyKeys(exceptions.keySet());
  }

  private static Optional<String> difference(List<List<String>> ours, List<List<String>> theirs) {
    if (ours.size() != theirs.size()) {
      return Optional.of(ours.size() + " representations, not " + theirs.size());
    }
    for (int i = 0; i < ours.size(); i++) {
      List<String> one = ours.get(i);
      List<String> other = theirs.get(i);
      for (int j = 0; j < Math.min(one.size(), other.size()); j++) {
        if (!isSame(one.get(j), other.get(j), j)) {
          return Optional.of(one.get(0) + ": " + one.get(j) + ", not " + other.get(j));
        }
      }
      if (one.size() != other.size()) {
        return Optional.of(one.get(0) + ": " + one.size() + " fields, not " + other.size());
      }
    }
    return Optional.empty();
  }

  /** Times, at even places from 4 on, may differ by rounding, or may not be known to the other. */
  private static boolean isSame(String one, String other, int place) {
    boolean isTime = place >= 4 && place % 2 == 0;
    if (isTime && other.isEmpty()) {
      return true;
    }
    return isTime ? Math.abs(Long.parseLong(one) - Long.parseLong(other)) <= 2 : one.equals(other);
  }

  /** As {@code segments.cjs} writes them. */
  private static List<List<String>> ours(Mpd mpd) {
    List<List<String>> lines = new ArrayList<>();
    for (Period period : mpd.periods()) {
      for (AdaptationSet set : period.adaptationSets()) {
        for (Representation one : set.representations()) {
          lines.add(line(mpd, period, one));
        }
      }
    }
    return lines;
  }

  private static List<String> line(Mpd mpd, Period period, Representation representation) {
    Addressing addressing = representation.addressing();
    List<String> line = new ArrayList<>();
    line.add(representation.id());
    line.add(addressing.initialization().map(MpdCorpusTest::shown).orElse(""));
    if (addressing instanceof SegmentBase base && base.indexRange().isPresent()) {
      line.add(shown(new Part(base.file(), base.indexRange())));
      return line;
    }
    line.add("");
    double offset = (double) addressing.presentationTimeOffset() / addressing.timescale();
    for (Segment segment :
        SegmentPlan.of(mpd, period, representation, List.of(), Optional.empty(), ALL)) {
      double media = (double) segment.time() / segment.timescale();
      line.add(shown(segment.part()));
      line.add(Long.toString(Math.round((period.start().toNanos() / 1e9 + media - offset) * 1000)));
    }
    return line;
  }

  private static String shown(Part part) {
    return part.url() + part.range().map(range -> " " + range).orElse("");
  }

  private static Map<Path, List<List<String>>> others(List<Path> files) throws IOException {
    String modules =
        Objects.requireNonNullElse(
            System.getenv("NODE_MODULES"),
            System.getProperty("user.home") + "/.cache/millrace/node_modules");
    boolean isThere = Files.isDirectory(Path.of(modules, "mpd-parser"));
    if (!isThere && "true".equals(System.getenv("CI"))) {
      throw new AssertionError("mpd-parser is not installed, and CI=true demands it");
    }
    assumeTrue(isThere, "npm mpd-parser is not installed: see .ci/run");
    List<String> arguments = new ArrayList<>();
    arguments.add(RESOURCES.resolve("segments.cjs").toString());
    arguments.add(modules);
    arguments.add(MpdText.URL);
    files.forEach(file -> arguments.add(Corpus.directory().resolve(file).toString()));
    ExternalProgram.Outcome outcome =
        ExternalProgram.required("node")
            .run(Duration.ofMinutes(2), arguments.toArray(String[]::new));
    assertThat(outcome.exit()).as(outcome.errors()).isZero();
    Map<Path, List<List<String>>> lines = new LinkedHashMap<>();
    for (String line : outcome.output().lines().toList()) {
      String[] fields = line.split("\t", -1);
      Path file = Corpus.directory().relativize(Path.of(fields[0]));
      lines
          .computeIfAbsent(file, key -> new ArrayList<>())
          .add(List.of(fields).subList(1, fields.length));
    }
    return lines;
  }

  private static Mpd read(Path file) throws IOException {
    try (InputStream xml = Files.newInputStream(Corpus.directory().resolve(file))) {
      return MpdReader.read(xml, MpdText.URL);
    }
  }

  /** By file. */
  private static Map<String, String> reasons(String name) throws IOException {
    Map<String, String> reasons = new HashMap<>();
    for (String line : Files.readAllLines(RESOURCES.resolve(name), UTF_8)) {
      String[] fields = line.split("\t", 2);
      assertThat(fields).as(line).hasSize(2);
      reasons.put(fields[0], fields[1]);
    }
    return reasons;
  }
}
