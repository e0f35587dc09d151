package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.link.LinkFormat;
import dev.millrace.link.LinkTokens;
import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.ExternalProgram.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What docs/links.md shows is typed, as it stands there. */
@Timeout(120)
final class LinksGuideIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String PASSWORD = "correct horse battery";
  private static final LinkTokens TOKENS =
      new LinkTokens(PASSWORD, List.of("only an example: staple"), LinkFormat.V2, true);

  private static String guide() throws IOException {
    return Files.readString(Path.of("docs/links.md"));
  }

  /** The block that starts so. */
  private static String block(String start) throws IOException {
    String guide = guide();
    int from = guide.indexOf(start);
    assertThat(from).as(start).isNotNegative();
    return guide.substring(guide.indexOf('\n', from) + 1, guide.indexOf("\n```", from + 3) + 1);
  }

  private static String token(String link) {
    return link.replaceFirst(".*/_token_([^/]+)/.*", "$1");
  }

  @Test
  void theCommandsPrintWhatIsShown() throws Exception {
    String block = block("```\n$ export");
    String commands =
        block
            .lines()
            .filter(l -> l.startsWith("$ "))
            .map(l -> l.substring(2))
            .collect(Collectors.joining("\n"));
    String shown = block.lines().filter(l -> !l.startsWith("$ ")).collect(Collectors.joining("\n"));

    String printed = typed("cd target/millrace\n" + commands).output().strip();

    assertThat(printed).matches(Pattern.quote(shown).replace("…", "\\E[A-Za-z0-9_-]+\\Q"));
    for (String link : printed.lines().filter(line -> line.contains("_token_")).toList()) {
      assertThat(TOKENS.open(token(link)).link().parameters().get("d"))
          .startsWith("https://cdn.example/v.mp4");
    }
  }

  /** Standard error comes along, as on a terminal. */
  private static Outcome typed(String commands) throws IOException {
    String surroundings =
        "set -eu\nexec 2>&1\nunset PUBLIC_URL PORT\nexport JAVA_HOME='"
            + System.getProperty("java.home")
            + "'\n";
    Outcome outcome = ExternalProgram.required("sh").run(SOON, "-c", surroundings + commands);
    assertThat(outcome.exit()).as(outcome.output()).isZero();
    return outcome;
  }

  @Test
  void theProgramMakesLinksThatWeTake() throws Exception {
    Outcome outcome =
        ExternalProgram.requiredPython("cryptography").run(SOON, "-c", block("```python\n"));

    assertThat(outcome.errors()).isEmpty();
    var link = TOKENS.open(token(outcome.output().strip())).link();
    assertThat(link.parameters())
        .isEqualTo(Map.of("api_password", PASSWORD, "d", "https://cdn.example/v.mp4"));
    assertThat(link.rights().expiry().orElseThrow()).isAfter(Instant.now());
  }

  @Test
  void theExampleOfTheOlderFormatIsTrue() throws Exception {
    LinkTokens tokens =
        new LinkTokens("secret", List.of("any secret of a server"), LinkFormat.V2, true);

    assertThat(tokens.open(block("```\nAAEC").strip()).link().parameters())
        .containsOnlyKeys("api_password", "d", "h_referer")
        .containsEntry("d", "https://cdn.example/v.mp4");
  }

  @Test
  void everyOptionIsExplainedSomewhere() throws Exception {
    String help = typed("target/millrace/bin/millrace url --help").output();

    assertThat(
            Pattern.compile("--[a-z][a-z0-9-]+")
                .matcher(guide())
                .results()
                .map(m -> m.group())
                .toList())
        .isNotEmpty()
        .allSatisfy(option -> assertThat(help + "--help").contains(option));
  }
}
