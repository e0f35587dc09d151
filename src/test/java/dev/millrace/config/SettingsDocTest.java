package dev.millrace.config;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Holds {@code docs/settings.md} to the table; {@code -Dgolden.update=true} writes it anew. */
final class SettingsDocTest {
  private static final Path PAGE = Path.of("docs", "settings.md");

  @Test
  void theDocumentationOfSettingsIsCurrent() throws IOException {
    String expected = page();
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(PAGE, expected);
    }
    assertThat(Files.readString(PAGE))
        .as("docs/settings.md is stale: run this test with -Dgolden.update=true")
        .isEqualTo(expected);
  }

  @Test
  void everyNameBelongsToOneSetting() {
    assertThat(Settings.ALL.stream().flatMap(setting -> setting.names().stream()))
        .doesNotHaveDuplicates()
        .noneMatch(OtherNames::contains);
  }

  private static String page() {
    return """
        # Settings

        *Made from the table in the code; do not edit.*

        Defaults are overridden by a TOML file named by `CONFIG_PATH`, that by `.env` in the working
        directory, that by the environment, that by JVM properties, and those by the command line; in a web
        application by context parameters and these by JNDI ([deploy.md](deploy.md)).
        `millrace --print-config` shows what is in force and where it comes from.

        | Where | How `PORT` is written |
        |---|---|
        | TOML | `port = 9000` under `[server]` |
        | environment, `.env` | `PORT=9000`, `APP__SERVER__PORT=9000` or `MILLRACE_PORT=9000` |
        | JVM property | `-Dmillrace.port=9000` |
        | command line | `--port 9000`; every setting: `--set PORT=9000` |
        | context parameter, JNDI | `TIMEOUT`; `java:comp/env/millrace/TIMEOUT` (the container has the port) |

        Of several names in one place `MILLRACE_…` wins, then the plain name. Names are compared without
        regard to case. An empty value is as good as none: a weaker place may still set it. Times are seconds, decimals allowed; sizes are bytes or end
        in `k`, `m`, `g`. Unknown names are refused where they can only be mistakes: in the TOML file, on the
        command line, and when they start with `APP__`, `MILLRACE_` or (JVM properties) `millrace.`.

        """
        + table()
        + """

        ## Known, without effect yet

        One warning names those that are set:\s"""
        + names(OtherNames.NOT_YET)
        + """
        .

        ## Accepted and ignored

        """
        + names(OtherNames.IGNORED)
        + ".\n";
  }

  private static String table() {
    String head = "| Setting | TOML | Default | Values | Meaning |\n|---|---|---|---|---|\n";
    return Settings.ALL.stream().map(SettingsDocTest::row).collect(joining("", head, ""));
  }

  private static String row(Setting<?> setting) {
    return String.format(
        "| `%s` | %s | %s | %s | %s |%n",
        setting.name(),
        setting.tomlKey().map(key -> "`" + key + "`").orElse("–"),
        setting.defaultText().isEmpty() ? "unset" : "`" + setting.defaultText() + "`",
        setting.syntax().expectation(),
        setting.description());
  }

  private static String names(List<String> names) {
    return names.stream().map(name -> "`" + name + "`").collect(joining(", "));
  }
}
