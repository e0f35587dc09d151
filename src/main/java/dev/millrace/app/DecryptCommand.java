package dev.millrace.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.cenc.CencDecryptor;
import dev.millrace.cenc.DecryptionOptions;
import dev.millrace.cenc.KeyRing;
import dev.millrace.mp4.Box;
import dev.millrace.mp4.FourCc;
import dev.millrace.mp4.InitSegment;
import dev.millrace.mp4.InitSegmentReader;
import dev.millrace.mp4.TopLevel;
import dev.millrace.proxy.BadParameterException;
import dev.millrace.proxy.KeyParameters;
import dev.millrace.stream.ByteSink;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** {@code millrace decrypt}: makes a protected MP4 file clear, as it is read. */
final class DecryptCommand {
  static final String COMMAND = "decrypt";

  private static final String STANDARD = "-";
  private static final String KEY = "--key";
  private static final String KEY_FILE = "--key-file";
  private static final String INIT = "--init";
  private static final String COMPACT = "--compact";
  private static final String HELP = "--help";

  private static final int MAX_KEY_BYTES = 64 << 10;
  private static final int MAX_INIT_BYTES = CencDecryptor.MAX_MOOV_BYTES;
  private static final int PIECE_BYTES = 64 << 10;

  private final InputStream in;
  private final PrintStream out;
  private final PrintStream err;
  private final CommandLine commandLine = new CommandLine(spec());

  DecryptCommand(InputStream in, PrintStream out, PrintStream err) {
    this.in = in;
    this.out = out;
    this.err = err;
  }

  /**
   * Gives the exit code: {@link Main#DONE}, or {@link Main#CANNOT_START} if the file cannot be
   * read, or not be decrypted; there is no output file then.
   *
   * @param args what follows the command
   * @throws ParameterException if they make no sense
   */
  int run(String... args) {
    ParseResult parsed = commandLine.parseArgs(args);
    if (parsed.hasMatchedOption(HELP)) {
      out.print(commandLine.getUsageMessage());
      out.flush();
      return Main.DONE;
    }
    String from = parsed.matchedPositionalValue(0, "");
    String to = parsed.matchedPositionalValue(1, "");
    if (from.isEmpty() || to.isEmpty()) {
      throw wrong("IN and OUT are missing: files, or - for standard input and output");
    }
    try {
      DecryptionOptions options = options(parsed, from);
      decrypt(options, init(parsed), from, to);
      return Main.DONE;
    } catch (InvalidPathException | NoSuchFileException e) {
      err.println("No such file: " + e.getMessage());
    } catch (BadParameterException e) {
      throw wrong(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      err.println("Not decrypted: " + e.getMessage());
    }
    return Main.CANNOT_START;
  }

  private DecryptionOptions options(ParseResult parsed, String from) throws IOException {
    KeyRing keys = keys(parsed, from);
    boolean isCompact = parsed.hasMatchedOption(COMPACT);
    return new DecryptionOptions(keys, 0, false, isCompact, false, false, Optional.empty());
  }

  private KeyRing keys(ParseResult parsed, String from) throws IOException {
    List<String> keys = new ArrayList<>(List.of(parsed.matchedOptionValue(KEY, new String[0])));
    String file = parsed.matchedOptionValue(KEY_FILE, "");
    if (file.equals(STANDARD) && from.equals(STANDARD)) {
      throw wrong(KEY_FILE + " and IN cannot both be standard input");
    }
    if (!file.isEmpty()) {
      read(file, MAX_KEY_BYTES, KEY_FILE)
          .lines()
          .map(String::strip)
          .filter(line -> !line.isEmpty() && !line.startsWith("#"))
          .forEach(keys::add);
    }
    if (keys.isEmpty()) {
      throw wrong("a key is missing (expected: --key KID:KEY, or --key-file FILE)");
    }
    return KeyParameters.of("", String.join(",", keys)).ring();
  }

  private String read(String file, int limit, String option) throws IOException {
    return new String(bytes(file, limit, option), UTF_8);
  }

  private byte[] bytes(String file, int limit, String option) throws IOException {
    try (InputStream input = file.equals(STANDARD) ? in : Files.newInputStream(Path.of(file))) {
      byte[] bytes = input.readNBytes(limit + 1);
      if (bytes.length > limit) {
        throw wrong(option + ": longer than " + limit + " bytes");
      }
      return bytes;
    }
  }

  private InitSegment init(ParseResult parsed) throws IOException {
    String file = parsed.matchedOptionValue(INIT, "");
    InitSegment init = InitSegment.EMPTY;
    if (!file.isEmpty()) {
      for (Box box : TopLevel.boxes(bytes(file, MAX_INIT_BYTES, INIT))) {
        init = box.type() == FourCc.of("moov") ? InitSegmentReader.read(box) : init;
      }
    }
    return init;
  }

  private void decrypt(DecryptionOptions options, InitSegment init, String from, String to)
      throws IOException {
    if (to.equals(STANDARD)) {
      decrypt(options, init, from, out);
      out.flush();
      return;
    }
    Path target = Path.of(to).toAbsolutePath();
    Path part = target.resolveSibling(target.getFileName() + ".part");
    try {
      try (OutputStream output = Files.newOutputStream(part)) {
        decrypt(options, init, from, output);
      }
      Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part); // of a failure, which nobody should take for the whole
    }
  }

  private void decrypt(
      DecryptionOptions options, InitSegment init, String from, OutputStream output)
      throws IOException {
    WritableByteChannel channel = Channels.newChannel(output);
    ByteSink sink =
        bytes -> {
          while (bytes.hasRemaining()) {
            channel.write(bytes);
          }
        };
    byte[] piece = new byte[PIECE_BYTES];
    try (InputStream input = from.equals(STANDARD) ? in : Files.newInputStream(Path.of(from));
        CencDecryptor decryptor = new CencDecryptor(options, init)) {
      for (int length = input.read(piece); length >= 0; length = input.read(piece)) {
        decryptor.accept(ByteBuffer.wrap(piece, 0, length), sink);
      }
      decryptor.finish(sink);
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(commandLine, message);
  }

  private static CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name("millrace " + COMMAND);
    spec.usageMessage()
        .customSynopsis("millrace decrypt [OPTIONS] IN OUT%n")
        .description(
            "Makes an MP4 file clear that is protected with common encryption (cenc, cens, cbc1,"
                + " cbcs), as it is read; - is standard input or output. The result is as"
                + " long.%n")
        .footer("%nExit codes: 0 done, 1 not decrypted, 2 bad options.");
    spec.addOption(
        option(KEY, "KID:KEY", "a key and its id, hexadecimal; shown to whoever lists processes")
            .type(String[].class)
            .build());
    spec.addOption(
        option(KEY_FILE, "FILE", "keys, KID:KEY on each line; - is standard input").build());
    spec.addOption(option(INIT, "FILE", "initialization segment of a media segment").build());
    spec.addOption(Arguments.flag(COMPACT, "leave protection boxes out instead of blanking them"));
    spec.addOption(Arguments.flag(HELP, "show this text"));
    spec.addPositional(file("0", "IN"));
    spec.addPositional(file("1", "OUT"));
    return spec;
  }

  private static PositionalParamSpec file(String index, String label) {
    return PositionalParamSpec.builder()
        .index(index)
        .arity("0..1")
        .paramLabel(label)
        .type(String.class)
        .hidden(true)
        .build();
  }

  private static OptionSpec.Builder option(String name, String label, String description) {
    return OptionSpec.builder(name)
        .arity("1")
        .paramLabel(label)
        .type(String.class)
        .description(description);
  }
}
