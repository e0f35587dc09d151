package dev.millrace.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DotEnvTest {
  private final List<String> problems = new ArrayList<>();

  @Test
  void readsPlainAndQuotedValues() {
    assertThat(
            parse(
                """
                # comment
                PLAIN=value
                export EXPORTED = spaced out \t
                HASH=pass#word
                COMMENT=value # comment
                SINGLE='a # b \\n'
                DOUBLE="say \\"hi\\" # here" # comment
                EMPTY=
                EMPTY_COMMENT= # comment
                EQUALS=a=b
                """))
        .isEqualTo(
            Map.of(
                "PLAIN", "value",
                "EXPORTED", "spaced out",
                "HASH", "pass#word",
                "COMMENT", "value",
                "SINGLE", "a # b \\n",
                "DOUBLE", "say \"hi\" # here",
                "EMPTY", "",
                "EMPTY_COMMENT", "",
                "EQUALS", "a=b"));
    assertThat(problems).isEmpty();
  }

  @Test
  void readsJsonValues() {
    assertThat(parse("A={\"x\":\"y\"}\nB='{\"x\": 1}'\n"))
        .isEqualTo(Map.of("A", "{\"x\":\"y\"}", "B", "{\"x\": 1}"));
  }

  @Test
  void takesFilesFromWindows() {
    assertThat(parse("\uFEFFA=1\r\nB=2\r\n")).isEqualTo(Map.of("A", "1", "B", "2"));
  }

  @Test
  void namesTheLineAndNotItsText_whenItCannotBeRead() {
    assertThat(parse("A=1\nsecret\nB=\"open\n=x\n")).isEqualTo(Map.of("A", "1"));
    assertThat(problems)
        .containsExactly(
            ".env line 2: unreadable (expected: NAME=value)",
            ".env line 3: unreadable (expected: NAME=value)",
            ".env line 4: unreadable (expected: NAME=value)");
  }

  private Map<String, String> parse(String text) {
    return DotEnv.parse(text.lines().toList(), problems);
  }
}
