package dev.millrace.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Reads the settings: defaults &lt; TOML file ({@code CONFIG_PATH}) &lt; {@code .env} in the
 * working directory &lt; environment &lt; JVM properties ({@code millrace.} and any name of the
 * setting) &lt; what the deployment adds: the command line, or in a web application the parameters
 * of its context and above them the JNDI entries {@code java:comp/env/millrace/NAME}. Names are
 * compared without regard to case; an empty text counts as unset.
 */
public final class ConfigReader {
  private static final String PROPERTY_PREFIX = "millrace.";

  /** Of {@code .env} and the TOML file. */
  private static final int MAX_FILE_BYTES = 1 << 20;

  private final Deployment deployment;
  private final Surroundings surroundings;
  private final List<SettingSource> own;
  private final List<String> problems;

  /**
   * What is around every deployment.
   *
   * @param environment by name
   * @param properties by full name; only those that start with {@code millrace.} are looked at
   * @param workingDirectory what a relative {@code CONFIG_PATH} starts at
   * @param dotEnvFiles later ones win
   */
  private record Surroundings(
      Map<String, String> environment,
      Map<String, String> properties,
      Path workingDirectory,
      List<Path> dotEnvFiles) {}

  /**
   * A reader of the given texts.
   *
   * @param properties by full name; only those that start with {@code millrace.} are looked at
   * @param commandLine by any name of the setting
   * @param workingDirectory holds {@code .env}, and is what a relative {@code CONFIG_PATH} starts
   *     at
   */
  public ConfigReader(
      Map<String, String> environment,
      Map<String, String> properties,
      Map<String, String> commandLine,
      Path workingDirectory) {
    this(
        Deployment.STANDALONE,
        new Surroundings(
            environment, properties, workingDirectory, List.of(workingDirectory.resolve(".env"))),
        List.of(commandLine(commandLine)),
        List.of());
  }

  private ConfigReader(
      Deployment deployment,
      Surroundings surroundings,
      List<SettingSource> own,
      List<String> problems) {
    this.deployment = deployment;
    this.surroundings = surroundings;
    this.own = own;
    this.problems = problems;
  }

  /** The settings of this process, its environment and its directory. */
  public static ConfigReader ofProcess(Map<String, String> commandLine) {
    return new ConfigReader(
        Deployment.STANDALONE, thisProcess(), List.of(commandLine(commandLine)), List.of());
  }

  /** What the command line alone says, whatever surrounds the process. */
  public static ConfigReader ofCommandLine(Map<String, String> commandLine) {
    return new ConfigReader(
        Deployment.STANDALONE,
        new Surroundings(Map.of(), Map.of(), Path.of(""), List.of()),
        List.of(commandLine(commandLine)),
        List.of());
  }

  /**
   * The settings of a web application: those of the process, of its context, and of JNDI as the
   * calling thread sees it.
   *
   * @param contextParameters by any name of the setting; they may be meant for others too
   */
  public static ConfigReader ofWebapp(Map<String, String> contextParameters) {
    List<String> problems = new ArrayList<>();
    List<SettingSource> own =
        List.of(
            SettingSource.of("JNDI", JndiEntries.read(problems), name -> true),
            SettingSource.of("context parameter", contextParameters, SettingSource::ownName));
    return new ConfigReader(Deployment.WEBAPP, thisProcess(), own, problems);
  }

  private static Surroundings thisProcess() {
    Properties properties = System.getProperties();
    Map<String, String> texts = new HashMap<>();
    properties
        .stringPropertyNames()
        .forEach(name -> texts.put(name, properties.getProperty(name, "")));
    return new Surroundings(System.getenv(), texts, Path.of(""), List.of(Path.of(".env")));
  }

  private static SettingSource commandLine(Map<String, String> texts) {
    return SettingSource.of("command line", texts, name -> true);
  }

  /**
   * Reads every source once.
   *
   * @throws ConfigException with every problem, if there is one
   */
  public LoadedConfig read() throws ConfigException {
    List<String> all = new ArrayList<>(problems);
    List<SettingSource> sources = new ArrayList<>(own);
    sources.add(SettingSource.of("JVM property", ownProperties(), name -> true));
    sources.add(
        SettingSource.of("environment", surroundings.environment(), SettingSource::ownName));
    sources.add(SettingSource.of(".env", dotEnv(all), SettingSource::ownName));
    SettingValues values = new SettingValues(sources, all);
    Optional<String> file = values.get(Settings.CONFIG_PATH);
    if (file.isPresent()) {
      sources.add(SettingSource.of(file.get(), toml(file.get(), all), name -> true));
    }
    Optional<String> transport = values.get(Settings.TRANSPORT_CONFIG);
    if (transport.isPresent()) {
      sources.add(
          SettingSource.of(
              "TRANSPORT_CONFIG", TransportConfig.read(transport.get()), name -> false));
    }
    return new ConfigAssembly(values, deployment, stateDirectory()).assemble();
  }

  /** Where programs of this user keep what outlives them: XDG Base Directory Specification. */
  private Optional<Path> stateDirectory() {
    return absolute(surroundings.environment().get("XDG_STATE_HOME"))
        .or(
            () ->
                absolute(surroundings.properties().get("user.home"))
                    .map(home -> home.resolve(".local/state")))
        .map(directory -> directory.resolve("millrace"));
  }

  private static Optional<Path> absolute(@Nullable String path) {
    try {
      return Optional.ofNullable(path).map(Path::of).filter(Path::isAbsolute);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private Map<String, String> ownProperties() {
    Map<String, String> texts = new HashMap<>();
    surroundings
        .properties()
        .forEach(
            (name, text) -> {
              if (name.startsWith(PROPERTY_PREFIX)) {
                texts.put(name.substring(PROPERTY_PREFIX.length()), text);
              }
            });
    return texts;
  }

  private Map<String, String> dotEnv(List<String> problems) {
    Map<String, String> values = new HashMap<>();
    for (Path file : surroundings.dotEnvFiles()) {
      if (Files.isRegularFile(file)) {
        values.putAll(DotEnv.parse(text(file, ".env", problems).lines().toList(), problems));
      }
    }
    return values;
  }

  private Map<String, String> toml(String name, List<String> problems) {
    String text =
        text(surroundings.workingDirectory().resolve(name), "CONFIG_PATH " + name, problems);
    return TomlFile.parse(name, text, problems);
  }

  /** The text of a file, empty after a problem. */
  private static String text(Path file, String label, List<String> problems) {
    try {
      if (Files.size(file) > MAX_FILE_BYTES) {
        problems.add(label + ": too large (expected: at most 1 MiB)");
        return "";
      }
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      problems.add(label + ": no such file");
    } catch (CharacterCodingException e) {
      problems.add(label + ": not UTF-8 text");
    } catch (IOException e) {
      problems.add(label + ": cannot be read");
    }
    return "";
  }
}
