package dev.millrace.app;

import dev.millrace.config.ConfigException;
import dev.millrace.config.ConfigReader;
import dev.millrace.config.LoadedConfig;
import dev.millrace.config.MillraceConfig;
import dev.millrace.config.ServerConfig;
import dev.millrace.config.SettingValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.BindException;
import java.net.URI;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ParameterException;

/**
 * The standalone program. Exit codes: 0 done, 1 cannot start, 2 bad options or settings. The first
 * {@code SIGTERM} or {@code SIGINT} lets running streams end for a while, another breaks them off;
 * it ends with 0 either way.
 */
public final class Main {
  static final int DONE = 0;
  static final int CANNOT_START = 1;
  static final int BAD_USAGE = 2;

  private static final String BAD_SETTINGS = "Millrace cannot start with these settings:";

  private final InputStream in;
  private final PrintStream out;
  private final PrintStream err;

  Main(InputStream in, PrintStream out, PrintStream err) {
    this.in = in;
    this.out = out;
    this.err = err;
  }

  /** Runs the command that the arguments name; a server goes on running after this returns. */
  public static void main(String... args) {
    int status = new Main(System.in, System.out, System.err).run(args);
    if (status != DONE) {
      System.exit(status);
    }
  }

  /** Gives the exit code; {@link #DONE} also once a server runs. */
  int run(String... args) {
    try {
      if (args.length > 0 && args[0].equals(UrlArguments.COMMAND)) {
        return url(UrlArguments.parse(Arrays.copyOfRange(args, 1, args.length)));
      }
      if (args.length > 0 && args[0].equals(InspectCommand.COMMAND)) {
        return new InspectCommand(out, err).run(Arrays.copyOfRange(args, 1, args.length));
      }
      if (args.length > 0 && args[0].equals(DecryptCommand.COMMAND)) {
        return new DecryptCommand(in, out, err).run(Arrays.copyOfRange(args, 1, args.length));
      }
      Arguments arguments = Arguments.parse(args);
      return switch (arguments.command()) {
        case HELP -> print(Arguments.usage());
        case VERSION -> print("millrace " + Version.text() + System.lineSeparator());
        case PRINT_CONFIG -> printConfig(ConfigReader.ofProcess(arguments.settings()).read());
        case SERVE -> serve(ConfigReader.ofProcess(arguments.settings()).read());
        case DEMO -> demo(arguments);
      };
    } catch (ParameterException e) {
      err.println(e.getMessage());
      err.println(e.getCommandLine().getCommandName() + " --help shows what there is.");
      return BAD_USAGE;
    } catch (ConfigException e) {
      err.println(BAD_SETTINGS);
      e.problems().forEach(problem -> err.println("  " + problem));
      return BAD_USAGE;
    }
  }

  private int print(String text) {
    out.print(text);
    out.flush();
    return DONE;
  }

  private int url(UrlArguments arguments) throws ConfigException {
    if (arguments.isHelp()) {
      return print(UrlArguments.usage());
    }
    MillraceConfig config = ConfigReader.ofProcess(arguments.settings()).read().config();
    try {
      return print(new UrlCommand(config, in, err).link(arguments) + System.lineSeparator());
    } catch (BadSecretException e) {
      err.println("No link can be made with these settings:");
      err.println("  " + e.getMessage());
      return BAD_USAGE;
    } catch (IOException e) {
      err.println("Standard input cannot be read: " + e.getMessage());
      return CANNOT_START;
    }
  }

  private int printConfig(LoadedConfig loaded) {
    for (SettingValue setting : loaded.settings()) {
      String text = setting.text().isEmpty() ? "-" : setting.text();
      out.printf("%-34s %-34s %s%n", setting.name(), setting.source(), text);
    }
    loaded.warnings().forEach(warning -> err.println("Warning: " + warning));
    return DONE;
  }

  private int serve(LoadedConfig loaded) {
    Logger log = logger(loaded);
    loaded.settings().stream()
        .filter(setting -> !setting.isDefault())
        .forEach(
            setting -> log.info("{} = {} ({})", setting.name(), setting.text(), setting.source()));
    loaded.warnings().forEach(log::warn);
    return start(
        loaded.config(),
        () -> {},
        uri -> log.info("Millrace {} listens at {}", Version.text(), uri));
  }

  private int demo(Arguments options) throws ConfigException {
    Arguments quiet = options.withDefault("LOG_LEVEL", "WARN");
    logger(ConfigReader.ofCommandLine(quiet.settings()).read());
    DemoOrigin origin;
    try {
      origin = DemoOrigin.start();
    } catch (Exception e) {
      err.println("The demo's origin cannot start: " + e);
      return CANNOT_START;
    }
    Arguments open = quiet.withDefault("ALLOW_TARGETS", origin.authority());
    MillraceConfig config = ConfigReader.ofCommandLine(open.settings()).read().config();
    return start(config, origin, uri -> origin.linesToPaste(uri).forEach(out::println));
  }

  private int start(MillraceConfig config, AutoCloseable companion, Consumer<URI> ready) {
    try {
      StandaloneServer millrace = new StandaloneServer(config);
      AutoCloseable drain = millrace::drain;
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> close(drain, millrace, companion), "stop"));
      StopSignals.listen(() -> stop(millrace), millrace::hurry);
      millrace.start();
      ready.accept(millrace.uri());
      return DONE;
    } catch (Exception e) {
      Optional<String> problem = settingProblem(e);
      if (problem.isPresent()) {
        err.println(BAD_SETTINGS);
        err.println("  " + problem.get());
        return BAD_USAGE;
      }
      err.println("Millrace cannot start: " + explain(e, config.server()));
      return CANNOT_START;
    }
  }

  /** What is wrong with what a setting names; the container wraps what the components throw. */
  private static Optional<String> settingProblem(Exception failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof BadCertificateException || cause instanceof BadSecretException) {
        return Optional.ofNullable(cause.getMessage());
      }
    }
    return Optional.empty();
  }

  private static void stop(StandaloneServer millrace) {
    millrace.drain(); // before the JVM stops: signals are heard all the while
    System.exit(DONE);
  }

  private static String explain(Exception failure, ServerConfig server) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof BindException) {
        return server.host()
            + " port "
            + server.port()
            + " cannot be used: "
            + cause.getMessage()
            + ". Choose others with --host and --port.";
      }
    }
    boolean plain = failure instanceof IOException && failure.getMessage() != null;
    return plain ? String.valueOf(failure.getMessage()) : failure.toString();
  }

  private void close(AutoCloseable... parts) {
    for (AutoCloseable part : parts) {
      try {
        part.close();
      } catch (Exception e) {
        err.println("While stopping: " + e);
      }
    }
  }

  /** The first logger of the process: levels are read when it is made, and not again. */
  static Logger logger(LoadedConfig loaded) {
    System.setProperty("dev.millrace.LEVEL", loaded.logLevel().name());
    return LoggerFactory.getLogger(Main.class);
  }
}
