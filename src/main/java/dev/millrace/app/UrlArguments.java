package dev.millrace.app;

import dev.millrace.link.LinkRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The command line of {@code millrace url}, parsed. */
final class UrlArguments {
  static final String COMMAND = "url";

  /** In place of the destination: it is the first line of standard input. */
  static final String STANDARD_INPUT = "-";

  private static final String PROXY_URL = "--proxy-url";
  private static final String ENDPOINT = "--endpoint";
  private static final String HEADER = "--header";
  private static final String RESPONSE_HEADER = "--response-header";
  private static final String INHERITED_HEADER = "--inherited-header";
  private static final String DROP_HEADER = "--drop-header";
  private static final String PARAM = "--param";
  private static final String FILENAME = "--filename";
  private static final String EXPIRES = "--expires";
  private static final String IP = "--ip";
  private static final String PLAIN = "--plain";
  private static final String BASE64 = "--base64";
  private static final String CONFIG = "--config";
  private static final String SET = "--set";
  private static final String HELP = "--help";

  private static final String NAME_VALUE = "NAME=VALUE";
  private static final Pattern LIFETIME = Pattern.compile("([0-9]{1,9})([smhd]?)");
  private static final Pattern IPV4 =
      Pattern.compile("(?:(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(?:\\.(?!$)|$)){4}");
  private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

  private final CommandLine commandLine;
  private final ParseResult parsed;

  private UrlArguments(CommandLine commandLine, ParseResult parsed) {
    this.commandLine = commandLine;
    this.parsed = parsed;
  }

  /**
   * Reads what follows the command.
   *
   * @throws ParameterException if it makes no sense; the message is fit for the user
   */
  static UrlArguments parse(String... args) {
    CommandLine commandLine = new CommandLine(spec());
    UrlArguments arguments = new UrlArguments(commandLine, commandLine.parseArgs(args));
    if (!arguments.isHelp() && !arguments.parsed.hasMatchedPositional(0)) {
      throw arguments.wrong("DESTINATION is missing: an address, or - for standard input");
    }
    return arguments;
  }

  /** What {@code --help} prints. */
  static String usage() {
    return new CommandLine(spec()).getUsageMessage();
  }

  boolean isHelp() {
    return parsed.hasMatchedOption(HELP);
  }

  boolean isPlain() {
    return parsed.hasMatchedOption(PLAIN);
  }

  /** Settings by name. */
  Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    text(CONFIG).ifPresent(file -> settings.put("CONFIG_PATH", file));
    settings.putAll(Arguments.pairs(SET, parsed, commandLine));
    return settings;
  }

  /** Where the link leads, or {@link #STANDARD_INPUT}. */
  String destination() {
    return parsed.matchedPositionalValue(0, STANDARD_INPUT);
  }

  /**
   * The link that is asked for.
   *
   * @param proxyUrl base of the link unless the command line names one
   * @throws ParameterException if a value cannot be read
   */
  LinkRequest request(String proxyUrl, String destination) {
    return new LinkRequest(
        text(PROXY_URL).orElse(proxyUrl),
        Optional.of(text(ENDPOINT).orElse("/proxy/stream")),
        Optional.of(destination),
        Arguments.pairs(PARAM, parsed, commandLine),
        Arguments.pairs(HEADER, parsed, commandLine),
        Arguments.pairs(RESPONSE_HEADER, parsed, commandLine),
        Arguments.pairs(INHERITED_HEADER, parsed, commandLine),
        List.of(parsed.matchedOptionValue(DROP_HEADER, new String[0])),
        text(FILENAME),
        parsed.hasMatchedOption(BASE64),
        text(EXPIRES).map(this::lifetime),
        text(IP).map(this::address));
  }

  private Optional<String> text(String option) {
    return Optional.ofNullable(parsed.matchedOptionValue(option, (String) null));
  }

  private Duration lifetime(String text) {
    Matcher parts = LIFETIME.matcher(text);
    if (!parts.matches() || Long.parseLong(parts.group(1)) == 0) {
      throw wrong(EXPIRES + ": \"" + text + "\" (expected: such as 3600, 90m, 12h or 7d)");
    }
    long count = Long.parseLong(parts.group(1));
    return switch (parts.group(2)) {
      case "m" -> Duration.ofMinutes(count);
      case "h" -> Duration.ofHours(count);
      case "d" -> Duration.ofDays(count);
      default -> Duration.ofSeconds(count);
    };
  }

  private String address(String text) {
    try {
      if (IPV4.matcher(text).matches()) {
        return text;
      }
      if (IPV6.matcher(text).matches()) {
        return InetAddress.getByName("[" + text + "]").getHostAddress(); // a literal: no look-up
      }
    } catch (UnknownHostException e) {
      // told like any other
    }
    throw wrong(IP + ": \"" + text + "\" (expected: an IPv4 or IPv6 address)");
  }

  /** What the user is told of a mistake. */
  ParameterException wrong(String message) {
    return new ParameterException(commandLine, message);
  }

  private static CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name("millrace " + COMMAND);
    spec.usageMessage()
        .customSynopsis("millrace url [OPTIONS] DESTINATION%n")
        .description(
            "Makes a link through the proxy and prints it, without asking a server. It reads"
                + " the settings that the server reads: run it as the same user with the same"
                + " password and the same LINK_SECRET or STATE_DIR. With a password the link"
                + " is sealed.%n",
            "DESTINATION  address at the origin; -: the first line of standard input%n")
        .footer(
            "%nOther users of this machine can see command lines while they run. Give a",
            "destination with secrets by standard input, options with secrets in a file,",
            "one a line, named on the command line as @FILE, and the password in the",
            "environment, .env or --config.");
    spec.addPositional(
        PositionalParamSpec.builder()
            .index("0")
            .arity("0..1")
            .paramLabel("DESTINATION")
            .type(String.class)
            .hidden(true)
            .build());
    addLink(spec);
    spec.addOption(Arguments.value(CONFIG, "FILE", "TOML file with settings"));
    spec.addOption(Arguments.values(SET, NAME_VALUE, "any setting; may be repeated"));
    spec.addOption(Arguments.flag(HELP, "show this text"));
    return spec;
  }

  private static void addLink(CommandSpec spec) {
    spec.addOption(
        Arguments.value(PROXY_URL, "URL", "address of the proxy (PUBLIC_URL, else this machine)"));
    spec.addOption(Arguments.value(ENDPOINT, "PATH", "route (/proxy/stream)"));
    spec.addOption(Arguments.values(HEADER, NAME_VALUE, "header sent to the origin"));
    spec.addOption(Arguments.values(RESPONSE_HEADER, NAME_VALUE, "header of the answer"));
    spec.addOption(
        Arguments.values(INHERITED_HEADER, NAME_VALUE, "the same, also for what it leads to"));
    spec.addOption(Arguments.values(DROP_HEADER, "NAME", "header of the origin to leave out"));
    spec.addOption(Arguments.values(PARAM, NAME_VALUE, "any other parameter"));
    spec.addOption(Arguments.value(FILENAME, "NAME", "file name, put behind the path"));
    spec.addOption(Arguments.value(EXPIRES, "DURATION", "lifetime: 3600, 90m, 12h, 7d (for ever)"));
    spec.addOption(Arguments.value(IP, "ADDRESS", "the only client that may use it (any)"));
    spec.addOption(
        Arguments.flag(PLAIN, "readable, not sealed; contains the password if there is one"));
    spec.addOption(Arguments.flag(BASE64, "write the destination as base64"));
  }
}
