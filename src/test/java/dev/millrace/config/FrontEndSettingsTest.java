package dev.millrace.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.proxy.FrontEndConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FrontEndSettingsTest {
  @TempDir private Path directory;

  private LoadedConfig read(Map<String, String> environment) throws ConfigException {
    return new ConfigReader(environment, Map.of(), Map.of(), directory).read();
  }

  private String problem(String name, String text) {
    ConfigException e = catchThrowableOfType(ConfigException.class, () -> read(Map.of(name, text)));
    return String.valueOf(e.getMessage());
  }

  @Test
  void readsWhoIsInFrontAndWhere() throws Exception {
    LoadedConfig loaded =
        read(
            Map.of(
                "FORWARDED_ALLOW_IPS", "10.0.0.0/8, ::1,192.0.2.1",
                "PUBLIC_URL", "HTTPS://Proxy.Example:443/millrace/",
                "ROOT_PATH", "/millrace/"));

    assertThat(loaded.config().frontEnd())
        .isEqualTo(
            new FrontEndConfig(
                List.of("10.0.0.0/8", "::1", "192.0.2.1"),
                Optional.of("https://proxy.example/millrace"),
                "/millrace"));
  }

  @Test
  void namesTheEntryThatCannotBeUsed() {
    assertThat(problem("FORWARDED_ALLOW_IPS", "127.0.0.1, nginx, 10.0.0.0/8"))
        .contains("FORWARDED_ALLOW_IPS")
        .contains("\"nginx\"")
        .doesNotContain("127.0.0.1");
    assertThat(problem("FORWARDED_ALLOW_IPS", "10.0.0.0/40")).contains("\"10.0.0.0/40\"");
  }

  @Test
  void refusesAddressesAndPathsThatCannotBeUsed() {
    assertThat(problem("PUBLIC_URL", "https://user:secret@proxy.example"))
        .contains("PUBLIC_URL", "without user and password")
        .doesNotContain("secret");
    assertThat(problem("PUBLIC_URL", "proxy.example")).contains("PUBLIC_URL", "https://");
    assertThat(problem("ROOT_PATH", "millrace")).contains("ROOT_PATH", "/millrace");
    assertThat(problem("ROOT_PATH", "/a/../b")).contains("ROOT_PATH");
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "10.0.0.1,*", "0.0.0.0/0", "::/0"})
  void warnsOfBelievingEverybody(String trusted) throws Exception {
    assertThat(read(Map.of("FORWARDED_ALLOW_IPS", trusted)).warnings())
        .singleElement()
        .asString()
        .startsWith("FORWARDED_ALLOW_IPS believes everybody");
  }

  @Test
  void refusesWhatTheLocaleCouldNotRead() {
    assertThatThrownBy(() -> read(Map.of("API_PASSWORD", "p\uFFFD\uFFFDsswort-lang-genug")))
        .hasMessageContaining("API_PASSWORD")
        .hasMessageContaining("LC_ALL=C.UTF-8")
        .hasMessageNotContaining("sswort");
  }

  @Test
  void showsNoLoginOfAddressServices() throws Exception {
    Map<String, String> settings =
        Map.of("PUBLIC_IP_SERVICES", "https://u:hidden1@ip.example/?key=hidden2");

    assertThat(read(settings).settings().toString()).doesNotContain("hidden");
  }

  @Test
  void warnsOfAnOpenServerThatReachesInternalTargets() throws Exception {
    assertThat(read(Map.of("ALLOW_TARGETS", "private")).warnings())
        .anyMatch(text -> text.contains("ALLOW_TARGETS") && text.contains("web page"));
    assertThat(
            read(Map.of("ALLOW_TARGETS", "private", "API_PASSWORD", "a long password")).warnings())
        .noneMatch(text -> text.contains("web page"));
    assertThat(read(Map.of()).warnings()).isEmpty();
  }
}
