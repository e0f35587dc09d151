package dev.millrace.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.config.TlsConfig.PemFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TlsSettingsTest {
  private static final Path DIRECTORY = Path.of(".");

  @Test
  void isOff_whenNothingIsSet() throws Exception {
    assertThat(read(Map.of("TLS_SELF_SIGNED", "false")).config().server().tls()).isEmpty();
  }

  @Test
  void readsFilesAndPassword() throws Exception {
    Map<String, String> settings =
        Map.of("TLS_CERTIFICATE", "c.pem", "TLS_KEY", "/etc/k.pem", "TLS_KEY_PASSWORD", "hunter2");

    LoadedConfig loaded = read(settings);

    assertThat(loaded.config().server().tls())
        .contains(
            new TlsConfig(
                Optional.of(
                    new PemFiles(
                        Path.of("c.pem"), Path.of("/etc/k.pem"), Optional.of("hunter2")))));
    assertThat(loaded.settings()).noneMatch(setting -> setting.text().contains("hunter2"));
  }

  @Test
  void makesACertificate_whenAskedTo() throws Exception {
    assertThat(read(Map.of("TLS_SELF_SIGNED", "on")).config().server().tls())
        .contains(TlsConfig.SELF_SIGNED);
  }

  @Test
  void refusesBothKindsOfCertificate() {
    assertThat(problems(Map.of("TLS_SELF_SIGNED", "1", "TLS_CERTIFICATE", "c", "TLS_KEY", "k")))
        .singleElement()
        .asString()
        .contains("TLS_SELF_SIGNED", "TLS_CERTIFICATE");
  }

  @Test
  void namesTheHalfThatIsMissing() {
    assertThat(problems(Map.of("TLS_CERTIFICATE", "c")))
        .singleElement()
        .asString()
        .startsWith("TLS_KEY:");
    assertThat(problems(Map.of("TLS_KEY", "k")))
        .singleElement()
        .asString()
        .startsWith("TLS_CERTIFICATE:");
  }

  @Test
  void refusesWhatIsNoPath() {
    assertThat(problems(Map.of("TLS_CERTIFICATE", "a\0b", "TLS_KEY", "k")))
        .anyMatch(problem -> problem.startsWith("TLS_CERTIFICATE") && problem.contains("path"));
  }

  private static List<String> problems(Map<String, String> environment) {
    return catchThrowableOfType(ConfigException.class, () -> read(environment)).problems();
  }

  private static LoadedConfig read(Map<String, String> environment) throws ConfigException {
    return new ConfigReader(environment, Map.of(), Map.of(), DIRECTORY).read();
  }
}
