package dev.millrace.link;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.ExternalProgram.Outcome;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Against a program that knows the documentation and not our code. */
final class LinkTokensInteroperationTest {
  private static final int COUNT = 10_000;
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final String PASSWORD = "pässword of the server";
  private static final String SECRET = "a secret of the server";
  private static final String ALPHABET =
      "abcXYZ019 _-./?&=+%:;#\"'\\<>{}[],\t\n\r\0\u001b\u007f\u0080\u00fc\u20ac\u2028\uffff";

  private final long seed = System.nanoTime();
  private final Random dice = new Random(seed);
  private final ExternalProgram python = ExternalProgram.requiredPython("cryptography");

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource(LinkFormat.class)
  void theOtherSideOpensOurs(LinkFormat format) throws Exception {
    List<ProxyLink> links = IntStream.range(0, COUNT).mapToObj(i -> randomLink(format)).toList();
    LinkTokens tokens = tokens(format);
    Path file = directory.resolve("tokens");
    Files.writeString(
        file, links.stream().map(tokens::seal).collect(Collectors.joining("\n")), UTF_8);

    List<String> lines = run("open", format.name(), PASSWORD, SECRET, file.toString());

    assertThat(lines).as("seed %d", seed).hasSize(COUNT);
    assertThat(lines.stream().map(LinkTokensInteroperationTest::link).toList())
        .as("seed %d", seed)
        .isEqualTo(links);
  }

  @ParameterizedTest
  @EnumSource(LinkFormat.class)
  void weOpenTheirs(LinkFormat format) throws Exception {
    LinkTokens tokens = tokens(format);

    List<String> lines = run("seal", format.name(), PASSWORD, SECRET, "" + COUNT, "" + seed);

    assertThat(lines).hasSize(COUNT);
    for (String line : lines) {
      String[] tokenAndLink = line.split("\t", 2);
      ProxyLink opened = withoutPassword(tokens.open(tokenAndLink[0]).link());
      assertThat(opened).as("seed %d", seed).isEqualTo(link(tokenAndLink[1]));
    }
  }

  private static LinkTokens tokens(LinkFormat format) {
    return new LinkTokens(PASSWORD, List.of(SECRET), format, true);
  }

  private static ProxyLink withoutPassword(ProxyLink link) {
    Map<String, String> parameters = new LinkedHashMap<>(link.parameters());
    parameters.remove("api_password");
    return link.child(parameters);
  }

  private List<String> run(String... arguments) throws IOException, URISyntaxException {
    Path script =
        Path.of(Objects.requireNonNull(getClass().getResource("tokens.py"), "tokens.py").toURI());
    String[] all = new String[arguments.length + 1];
    all[0] = script.toString();
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    Outcome outcome = python.run(SOON, all);
    assertThat(outcome.errors()).as("seed %d", seed).isEmpty();
    return outcome.output().lines().toList();
  }

  /** A line of the program: expiry, address, family, parameters. */
  private static ProxyLink link(String line) {
    String[] texts = line.split("\t", -1);
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String pair : texts[3].isEmpty() ? new String[0] : texts[3].split("&", -1)) {
      String[] nameAndValue = pair.split("=", 2);
      parameters.put(
          URLDecoder.decode(nameAndValue[0], UTF_8), URLDecoder.decode(nameAndValue[1], UTF_8));
    }
    return new ProxyLink(
        parameters,
        new LinkRights(
            present(texts[0]).map(text -> Instant.ofEpochSecond(Long.parseLong(text))),
            present(texts[1]),
            present(texts[2])));
  }

  private static Optional<String> present(String text) {
    return Optional.of(text).filter(t -> !t.isEmpty());
  }

  private ProxyLink randomLink(LinkFormat format) {
    Map<String, String> parameters = new LinkedHashMap<>();
    IntStream.range(0, dice.nextInt(8))
        .forEach(i -> parameters.put(randomText(12), randomText(60)));
    return new ProxyLink(
        parameters,
        new LinkRights(
            maybe(Instant.ofEpochSecond(dice.nextInt())),
            maybe(dice.nextBoolean() ? "203.0.113.7" : "2001:db8::7"),
            format == LinkFormat.V2 ? maybe("stream") : Optional.empty()));
  }

  private <T> Optional<T> maybe(T value) {
    return dice.nextBoolean() ? Optional.of(value) : Optional.empty();
  }

  private String randomText(int longest) {
    StringBuilder text = new StringBuilder();
    IntStream.range(0, dice.nextInt(longest))
        .map(i -> dice.nextInt(ALPHABET.length() + 1))
        .map(i -> i < ALPHABET.length() ? ALPHABET.charAt(i) : 0x1F600)
        .forEach(text::appendCodePoint);
    return text.toString();
  }
}
