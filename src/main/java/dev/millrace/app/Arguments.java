package dev.millrace.app;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * The command line, parsed. The model is built by hand: annotations would be looked up by
 * reflection at every start.
 *
 * @param settings by name, in the order of the command line
 */
record Arguments(Command command, Map<String, String> settings) {
  private static final String SET = "--set";
  private static final String SELF_SIGNED = "--self-signed";
  private static final String PRINT_CONFIG = "--print-config";
  private static final String HELP = "--help";
  private static final String VERSION = "--version";

  /** Options that are settings. */
  private static final Map<String, String> SETTING_OPTIONS = settingOptions();

  /**
   * Reads the arguments of a program run.
   *
   * @throws ParameterException if they make no sense; the message is fit for the user
   */
  static Arguments parse(String... args) {
    CommandLine commandLine = new CommandLine(spec());
    ParseResult parsed = commandLine.parseArgs(args);
    Map<String, String> settings = new LinkedHashMap<>();
    SETTING_OPTIONS.forEach(
        (option, setting) -> {
          if (parsed.hasMatchedOption(option)) {
            settings.put(setting, parsed.matchedOptionValue(option, ""));
          }
        });
    if (parsed.hasMatchedOption(SELF_SIGNED)) {
      settings.put("TLS_SELF_SIGNED", "true");
    }
    settings.putAll(pairs(SET, parsed, commandLine));
    return new Arguments(command(parsed, commandLine), settings);
  }

  /**
   * Values {@code NAME=VALUE} of an option, in order.
   *
   * @throws ParameterException if one is not
   */
  static Map<String, String> pairs(String option, ParseResult parsed, CommandLine commandLine) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String text : parsed.matchedOptionValue(option, new String[0])) {
      int equals = text.indexOf('=');
      if (equals <= 0) {
        throw new ParameterException(commandLine, option + " takes NAME=VALUE");
      }
      pairs.put(text.substring(0, equals), text.substring(equals + 1));
    }
    return pairs;
  }

  /** The same with a setting that holds unless the command line sets it. */
  Arguments withDefault(String setting, String text) {
    Map<String, String> all = new LinkedHashMap<>(settings);
    all.putIfAbsent(setting, text);
    return new Arguments(command, all);
  }

  /** What {@code --help} prints. */
  static String usage() {
    return new CommandLine(spec()).getUsageMessage();
  }

  private static Command command(ParseResult parsed, CommandLine commandLine) {
    if (parsed.hasMatchedOption(HELP)) {
      return Command.HELP;
    }
    if (parsed.hasMatchedOption(VERSION)) {
      return Command.VERSION;
    }
    String word = parsed.matchedPositionalValue(0, "serve");
    Command command =
        switch (word) {
          case "serve" -> Command.SERVE;
          case "demo" -> Command.DEMO;
          case UrlArguments.COMMAND ->
              throw new ParameterException(
                  commandLine, "The command comes first: millrace url [OPTIONS] DESTINATION");
          case InspectCommand.COMMAND ->
              throw new ParameterException(
                  commandLine, "The command comes first: millrace inspect FILE");
          case DecryptCommand.COMMAND ->
              throw new ParameterException(
                  commandLine, "The command comes first: millrace decrypt [OPTIONS] IN OUT");
          default ->
              throw new ParameterException(
                  commandLine,
                  "Unknown command '"
                      + word
                      + "' (expected: serve, demo, url, inspect or decrypt)");
        };
    return parsed.hasMatchedOption(PRINT_CONFIG) ? Command.PRINT_CONFIG : command;
  }

  private static Map<String, String> settingOptions() {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("--host", "HOST");
    options.put("--port", "PORT");
    options.put("--config", "CONFIG_PATH");
    options.put("--allow-targets", "ALLOW_TARGETS");
    options.put("--log-level", "LOG_LEVEL");
    return options;
  }

  private static CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name("millrace");
    spec.usageMessage()
        .customSynopsis(
            "millrace [serve | demo] [OPTIONS]%n       millrace url [OPTIONS] DESTINATION%n"
                + "       millrace inspect FILE%n       millrace decrypt [OPTIONS] IN OUT%n")
        .description(
            "Media streaming proxy.%n",
            "serve   answers until it is told to stop (the default)",
            "demo    the same, with an origin and a clip of its own to try it on;",
            "        looks at the options given here and at nothing else",
            "url     makes a link and ends; see millrace url --help",
            "inspect says what is in an MP4 file and ends; see millrace inspect --help",
            "decrypt makes a protected MP4 file clear and ends; see millrace decrypt --help",
            "archive makes later starts faster (a command of bin/millrace)%n")
        .footer(
            "%nSettings are also read from a TOML file, .env, the environment and JVM",
            "properties (-Dmillrace.NAME=VALUE); docs/settings.md lists them.",
            "Exit codes: 0 stopped as told, 1 cannot start, 2 bad options or settings.");
    spec.addPositional(
        PositionalParamSpec.builder()
            .index("0")
            .arity("0..1")
            .paramLabel("COMMAND")
            .type(String.class)
            .hidden(true)
            .build());
    settingSpecs().forEach(spec::addOption);
    spec.addOption(
        flag(SELF_SIGNED, "https with a certificate made at the start, trusted by nobody"));
    spec.addOption(values(SET, "NAME=VALUE", "any setting; may be repeated"));
    spec.addOption(
        flag(PRINT_CONFIG, "show every setting, its value and its source; start nothing"));
    spec.addOption(flag(VERSION, "show the version"));
    spec.addOption(flag(HELP, "show this text"));
    return spec;
  }

  private static List<OptionSpec> settingSpecs() {
    return List.of(
        value("--host", "ADDRESS", "address to listen on (127.0.0.1)"),
        value("--port", "PORT", "port to listen on (8888); 0: any free one"),
        value("--config", "FILE", "TOML file with settings"),
        value("--allow-targets", "LIST", "internal targets that may be contacted"),
        value("--log-level", "LEVEL", "DEBUG, INFO, WARN or ERROR"));
  }

  static OptionSpec value(String name, String label, String description) {
    return OptionSpec.builder(name)
        .paramLabel(label)
        .type(String.class)
        .description(description)
        .build();
  }

  /** May be repeated. */
  static OptionSpec values(String name, String label, String description) {
    return OptionSpec.builder(name)
        .paramLabel(label)
        .type(String[].class)
        .description(description)
        .build();
  }

  static OptionSpec flag(String name, String description) {
    return OptionSpec.builder(name).type(boolean.class).arity("0").description(description).build();
  }
}
