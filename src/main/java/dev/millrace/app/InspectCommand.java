package dev.millrace.app;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** {@code millrace inspect}: says what is in an MP4 file. */
final class InspectCommand {
  static final String COMMAND = "inspect";

  private static final String HELP = "--help";

  private final PrintStream out;
  private final PrintStream err;

  InspectCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /**
   * Gives the exit code: {@link Main#DONE}, or {@link Main#CANNOT_START} if the file cannot be read
   * or contradicts its format; what was read until then is printed.
   *
   * @param args what follows the command
   * @throws ParameterException if they make no sense
   */
  int run(String... args) {
    CommandLine commandLine = new CommandLine(spec());
    ParseResult parsed = commandLine.parseArgs(args);
    if (parsed.hasMatchedOption(HELP)) {
      out.print(commandLine.getUsageMessage());
      return Main.DONE;
    }
    String name = parsed.matchedPositionalValue(0, "");
    if (name.isEmpty()) {
      throw new ParameterException(commandLine, "FILE is missing");
    }
    try (FileChannel file = FileChannel.open(Path.of(name))) {
      new FileOutline(file, out).print();
      return Main.DONE;
    } catch (InvalidPathException | NoSuchFileException e) {
      err.println("No such file: " + name);
    } catch (IOException e) {
      err.println(name + ": " + e.getMessage());
    } finally {
      out.flush();
    }
    return Main.CANNOT_START;
  }

  private static CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name("millrace " + COMMAND);
    spec.usageMessage()
        .customSynopsis("millrace inspect FILE%n")
        .description(
            "Prints the boxes of an MP4 file (type, position, size in bytes), then its tracks:"
                + " handler, time scale, and of each sample entry the codec, and scheme and key"
                + " id if it is protected. Media are not read.%n")
        .footer("%nExit codes: 0 done, 1 the file cannot be read to its end, 2 bad options.");
    spec.addPositional(
        PositionalParamSpec.builder()
            .index("0")
            .arity("0..1")
            .paramLabel("FILE")
            .type(String.class)
            .hidden(true)
            .build());
    spec.addOption(Arguments.flag(HELP, "show this text"));
    return spec;
  }
}
