package dev.millrace.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * Reads the settings: defaults &lt; TOML file ({@code CONFIG_PATH}) &lt; {@code .env} in the
 * working directory &lt; environment &lt; JVM properties ({@code millrace.} and any name of the
 * setting) &lt; command line. Names are compared without regard to case; an empty text counts as
 * unset.
 */
public final class ConfigReader {
  private static final String PROPERTY_PREFIX = "millrace.";

  /** Of {@code .env} and the TOML file. */
  private static final int MAX_FILE_BYTES = 1 << 20;

  private final Map<String, String> environment;
  private final Map<String, String> properties;
  private final Map<String, String> commandLine;
  private final Path workingDirectory;
  private final List<Path> dotEnvFiles;

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
        environment,
        properties,
        commandLine,
        workingDirectory,
        List.of(workingDirectory.resolve(".env")));
  }

  private ConfigReader(
      Map<String, String> environment,
      Map<String, String> properties,
      Map<String, String> commandLine,
      Path workingDirectory,
      List<Path> dotEnvFiles) {
    this.environment = Map.copyOf(environment);
    this.properties = Map.copyOf(properties);
    this.commandLine = Map.copyOf(commandLine);
    this.workingDirectory = workingDirectory;
    this.dotEnvFiles = dotEnvFiles;
  }

  /** The settings of this process, its environment and its directory. */
  public static ConfigReader ofProcess(Map<String, String> commandLine) {
    Properties properties = System.getProperties();
    Map<String, String> texts = new HashMap<>();
    properties
        .stringPropertyNames()
        .forEach(name -> texts.put(name, properties.getProperty(name, "")));
    return new ConfigReader(System.getenv(), texts, commandLine, Path.of(""));
  }

  /** What the command line alone says, whatever surrounds the process. */
  public static ConfigReader ofCommandLine(Map<String, String> commandLine) {
    return new ConfigReader(Map.of(), Map.of(), commandLine, Path.of(""), List.of());
  }

  /**
   * Reads every source once.
   *
   * @throws ConfigException with every problem, if there is one
   */
  public LoadedConfig read() throws ConfigException {
    List<String> problems = new ArrayList<>();
    List<SettingSource> sources = new ArrayList<>();
    sources.add(SettingSource.of("command line", commandLine, name -> true));
    sources.add(SettingSource.of("JVM property", ownProperties(), name -> true));
    sources.add(SettingSource.of("environment", environment, SettingSource::ownName));
    sources.add(SettingSource.of(".env", dotEnv(problems), SettingSource::ownName));
    SettingValues values = new SettingValues(sources, problems);
    Optional<String> file = values.get(Settings.CONFIG_PATH);
    if (file.isPresent()) {
      sources.add(SettingSource.of(file.get(), toml(file.get(), problems), name -> true));
    }
    Optional<String> transport = values.get(Settings.TRANSPORT_CONFIG);
    if (transport.isPresent()) {
      sources.add(
          SettingSource.of(
              "TRANSPORT_CONFIG", TransportConfig.read(transport.get()), name -> false));
    }
    return new ConfigAssembly(values).assemble();
  }

  private Map<String, String> ownProperties() {
    Map<String, String> own = new HashMap<>();
    properties.forEach(
        (name, text) -> {
          if (name.startsWith(PROPERTY_PREFIX)) {
            own.put(name.substring(PROPERTY_PREFIX.length()), text);
          }
        });
    return own;
  }

  private Map<String, String> dotEnv(List<String> problems) {
    Map<String, String> values = new HashMap<>();
    for (Path file : dotEnvFiles) {
      if (Files.isRegularFile(file)) {
        values.putAll(DotEnv.parse(text(file, ".env", problems).lines().toList(), problems));
      }
    }
    return values;
  }

  private Map<String, String> toml(String name, List<String> problems) {
    String text = text(workingDirectory.resolve(name), "CONFIG_PATH " + name, problems);
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
