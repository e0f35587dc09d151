package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.config.TlsConfig.PemFiles;
import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.ExternalProgram.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys and certificates as openssl writes them. */
final class PemCertificateTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String PASSWORD = "open sesame";

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "RSA, 'genpkey -algorithm RSA -out key.pem -pkeyopt rsa_keygen_bits:2048'", // PKCS #8
    "RSA, 'genrsa -traditional -out key.pem 2048'", // PKCS #1
    "EC, 'genpkey -algorithm EC -out key.pem -pkeyopt ec_paramgen_curve:P-256'",
    "EC, 'ecparam -name secp384r1 -genkey -out key.pem'", // SEC 1, curve parameters before it
    "EdDSA, 'genpkey -algorithm ED25519 -out key.pem'",
  })
  void readsKeysOfEveryForm(String algorithm, String command) throws Exception {
    openssl(command);
    certify("key.pem", "cert.pem", 30);

    ServerCertificate read = read("cert.pem", "key.pem", null);

    assertThat(read.key().getAlgorithm()).isEqualTo(algorithm);
    assertThat(read.leaf().getSubjectX500Principal().getName()).isEqualTo("CN=localhost");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pkcs8 -topk8 -in plain.pem -out key.pem -passout",
        "ec -aes128 -in plain.pem -out key.pem -passout", // Proc-Type: 4,ENCRYPTED
        "pkcs8 -topk8 -v2 aes-256-cbc -v2prf hmacWithSHA512 -in plain.pem -out key.pem -passout",
        "pkcs8 -topk8 -scrypt -in plain.pem -out key.pem -passout",
      })
  void opensEncryptedKeys(String command) throws Exception {
    ecKey("plain.pem");
    openssl(command.split(" "), "pass:" + PASSWORD);
    certify("plain.pem", "cert.pem", 30);

    assertThat(read("cert.pem", "key.pem", PASSWORD).key().getAlgorithm()).isEqualTo("EC");
    assertThat(problem("cert.pem", "key.pem", null)).contains("TLS_KEY_PASSWORD has to be set");
    assertThat(problem("cert.pem", "key.pem", "guess"))
        .startsWith("TLS_KEY_PASSWORD: does not open")
        .doesNotContain("guess");
  }

  @Test
  void readsTheChainInOrder() throws Exception {
    ecKey("ca.key");
    certify("ca.key", "ca.pem", 30);
    ecKey("key.pem");
    certify("key.pem", "leaf.pem", 30);
    join("chain.pem", "leaf.pem", "ca.pem");

    assertThat(read("chain.pem", "key.pem", null).chain()).hasSize(2);
    join("wrong.pem", "ca.pem", "leaf.pem");
    assertThat(problem("wrong.pem", "key.pem", null))
        .startsWith("TLS_KEY:")
        .contains("is not the key of the first certificate", "wrong.pem");
  }

  @Test
  void readsCertificateAndKeyFromOneFile() throws Exception {
    ecKey("key.pem");
    certify("key.pem", "cert.pem", 30);
    join("both.pem", "key.pem", "cert.pem");

    assertThat(read("both.pem", "both.pem", null).chain()).hasSize(1);
  }

  @Test
  void tellsThatTheKeyIsOfAnotherKind() throws Exception {
    ecKey("key.pem");
    openssl("genpkey -algorithm RSA -out rsa.pem");
    certify("rsa.pem", "cert.pem", 30);

    assertThat(problem("cert.pem", "key.pem", null)).contains("is not the key of");
  }

  @Test
  void tellsThatTheCertificateIsNotValidNow() throws Exception {
    ecKey("key.pem");
    certify("key.pem", "cert.pem", 1);
    PemFiles files = files("cert.pem", "key.pem", null);

    assertThat(problem(files, Instant.now().plus(Duration.ofDays(2))))
        .startsWith("TLS_CERTIFICATE:")
        .contains("expired", "renewed");
    assertThat(problem(files, Instant.now().minus(Duration.ofDays(2))))
        .contains("not valid before", "clock");
  }

  @Test
  void tellsWhatIsMissing() throws Exception {
    ecKey("key.pem");
    certify("key.pem", "cert.pem", 30);
    Files.writeString(directory.resolve("empty.pem"), "");

    assertThat(problem("none.pem", "key.pem", null))
        .startsWith("TLS_CERTIFICATE:")
        .endsWith("does not exist");
    assertThat(problem("cert.pem", "none.pem", null)).startsWith("TLS_KEY:");
    assertThat(problem("key.pem", "key.pem", null)).contains("holds no certificate");
    assertThat(problem("cert.pem", "empty.pem", null)).contains("holds no private key");
  }

  @Test
  void tellsWhatCannotBeRead() throws Exception {
    ecKey("key.pem");
    certify("key.pem", "cert.pem", 30);
    Files.createDirectory(directory.resolve("folder"));
    Files.write(directory.resolve("huge.pem"), new byte[(1 << 20) + 1]);

    assertThat(problem("folder", "key.pem", null)).contains("cannot be read");
    assertThat(problem("huge.pem", "key.pem", null)).contains("longer than 1 MiB");
  }

  @Test
  void showsNothingOfADamagedKey() throws Exception {
    ecKey("key.pem");
    certify("key.pem", "cert.pem", 30);
    String text = Files.readString(directory.resolve("key.pem"));
    Files.writeString(
        directory.resolve("damaged.pem"), text.replaceFirst("\n....", "\nAAAA").substring(0, 200));

    assertThat(problem("cert.pem", "damaged.pem", null))
        .startsWith("TLS_KEY:")
        .doesNotContain(text.lines().skip(1).findFirst().orElseThrow().substring(8, 20));
  }

  @Test
  void hidesTheKey_whenItIsPrinted() throws Exception {
    ecKey("key.pem");
    certify("key.pem", "cert.pem", 30);

    assertThat(read("cert.pem", "key.pem", null)).hasToString("ServerCertificate[CN=localhost]");
  }

  private ServerCertificate read(String certificate, String key, String password)
      throws BadCertificateException {
    return PemCertificate.read(files(certificate, key, password), Instant.now());
  }

  private String problem(String certificate, String key, String password) {
    return problem(files(certificate, key, password), Instant.now());
  }

  private static String problem(PemFiles files, Instant now) {
    return catchThrowableOfType(
            BadCertificateException.class, () -> PemCertificate.read(files, now))
        .getMessage();
  }

  private PemFiles files(String certificate, String key, String password) {
    return new PemFiles(
        directory.resolve(certificate), directory.resolve(key), Optional.ofNullable(password));
  }

  private void ecKey(String file) throws IOException {
    openssl("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out " + file);
  }

  private void certify(String key, String certificate, int days) throws IOException {
    openssl(
        ("req -x509 -new -subj /CN=localhost -key " + key + " -out " + certificate + " -days ")
            + days);
  }

  private void join(String to, String... parts) throws IOException {
    StringBuilder all = new StringBuilder();
    for (String part : parts) {
      all.append(Files.readString(directory.resolve(part)));
    }
    Files.writeString(directory.resolve(to), all);
  }

  private void openssl(String command) throws IOException {
    openssl(command.split(" "));
  }

  /** File names are those of the directory. */
  private void openssl(String[] command, String... more) throws IOException {
    String[] arguments =
        Stream.concat(Arrays.stream(command), Arrays.stream(more))
            .map(
                word ->
                    word.matches("\\w+\\.(pem|key)") ? directory.resolve(word).toString() : word)
            .toArray(String[]::new);
    Outcome outcome = ExternalProgram.required("openssl").run(SOON, arguments);
    assertThat(outcome.exit()).as(outcome.errors()).isZero();
  }
}
