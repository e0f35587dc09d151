package dev.millrace.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Looks settings up in their sources, strongest first, and collects what is wrong. */
final class SettingValues {
  private final List<SettingSource> sources;
  private final List<String> problems;
  private final Map<String, SettingValue> seen = new LinkedHashMap<>();

  /**
   * @param sources strongest first; may grow at its weak end while this is in use
   * @param problems receives one text per setting that cannot be read
   */
  SettingValues(List<SettingSource> sources, List<String> problems) {
    this.sources = sources;
    this.problems = problems;
  }

  /** What the JVM makes of bytes of the environment that are not of its locale. */
  private static final char UNREADABLE = '\uFFFD';

  /** The value in force; the default after a problem, so that reading goes on. */
  <T> T get(Setting<T> setting) {
    int rank = rank(setting);
    if (rank == sources.size()) {
      show(setting, setting.defaultText(), SettingValue.DEFAULT);
      return setting.defaultValue();
    }
    SettingSource source = sources.get(rank);
    SettingSource.Entry entry = source.find(setting).orElseThrow();
    String place = source.label() + " " + entry.name();
    if (entry.text().indexOf(UNREADABLE) >= 0) {
      problems.add(
          setting.name()
              + " ("
              + place
              + "): characters that the locale cannot say (expected: a UTF-8 locale, such as"
              + " LC_ALL=C.UTF-8, or a file)");
      return setting.defaultValue();
    }
    try {
      T value = setting.syntax().parse(entry.text().strip());
      show(setting, setting.syntax().format(value), place);
      return value;
    } catch (SyntaxException e) {
      problems.add(setting.name() + " (" + place + "): " + e.getMessage());
      return setting.defaultValue();
    } catch (IllegalArgumentException | ArithmeticException e) {
      problems.add(problem(setting, place, entry.text()));
      return setting.defaultValue();
    }
  }

  /** Place of the strongest source that sets it; the number of sources: none does. */
  int rank(Setting<?> setting) {
    return IntStream.range(0, sources.size())
        .filter(index -> sources.get(index).find(setting).isPresent())
        .findFirst()
        .orElse(sources.size());
  }

  boolean isSet(Setting<?> setting) {
    return rank(setting) < sources.size();
  }

  /** Places that use its name for something else. */
  List<String> foreign(Setting<?> setting) {
    return sources.stream()
        .flatMap(
            source ->
                source.foreign(setting).stream().map(entry -> source.label() + " " + entry.name()))
        .toList();
  }

  /** Records a value that comes from somewhere else than its own names. */
  <T> T override(Setting<T> setting, T value, String place) {
    show(setting, setting.syntax().format(value), place);
    return value;
  }

  /** What the operator is shown of every setting that was asked for. */
  SettingValue shown(Setting<?> setting) {
    SettingValue value = seen.get(setting.name());
    return value == null ? new SettingValue(setting.name(), "", SettingValue.DEFAULT) : value;
  }

  List<String> problems() {
    return problems;
  }

  /** Adds a problem for every unknown name in a place where it can only be a mistake. */
  void reportUnknownNames() {
    for (SettingSource source : sources) {
      source
          .entries()
          .forEach(
              (name, entry) -> {
                if (source.strict().test(name) && !isKnown(name)) {
                  problems.add(entry.name() + " (" + source.label() + "): unknown setting");
                }
              });
    }
  }

  /** Names that are set somewhere and have no effect in this version. */
  List<String> notYet() {
    TreeSet<String> names = new TreeSet<>();
    for (SettingSource source : sources) {
      source.entries().keySet().forEach(name -> OtherNames.notYet(name).ifPresent(names::add));
    }
    return List.copyOf(names);
  }

  private static boolean isKnown(String name) {
    return OtherNames.contains(name)
        || Settings.ALL.stream().anyMatch(setting -> setting.names().contains(name));
  }

  private void show(Setting<?> setting, String text, String place) {
    String shown = setting.secret() && !text.isEmpty() ? "***" : text;
    seen.put(setting.name(), new SettingValue(setting.name(), shown, place));
  }

  private static String problem(Setting<?> setting, String place, String text) {
    String offender = setting.secret() ? "refused" : '"' + shortened(text) + '"';
    return setting.name()
        + " ("
        + place
        + "): "
        + offender
        + " (expected: "
        + setting.syntax().expectation()
        + ")";
  }

  private static String shortened(String text) {
    String line = text.replaceAll("\\p{Cntrl}", "?");
    return line.length() <= 80 ? line : line.substring(0, 80) + "…";
  }
}
