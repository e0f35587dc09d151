package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.config.TlsConfig.PemFiles;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateRenewalTest {
  @TempDir private Path directory;

  private final List<ServerCertificate> taken = new ArrayList<>();
  private PemFiles files;
  private CertificateRenewal renewal;
  private long changes = 1;

  @BeforeEach
  void watch() throws Exception {
    files =
        new PemFiles(directory.resolve("cert.pem"), directory.resolve("key.pem"), Optional.empty());
    write(certificate());
    renewal = new CertificateRenewal(files, taken::add);
  }

  @Test
  void readsNothing_whileNothingChanges() {
    renewal.check(Instant.now());
    renewal.check(Instant.now());

    assertThat(taken).isEmpty();
  }

  @Test
  void takesTheNewOne_onceWhenBothFilesHaveChanged() throws Exception {
    ServerCertificate renewed = certificate();
    write(renewed);

    renewal.check(Instant.now());
    renewal.check(Instant.now());

    assertThat(taken).singleElement().extracting(ServerCertificate::leaf).isEqualTo(renewed.leaf());
  }

  @Test
  void waits_whileOnlyOneFileIsNew() throws Exception {
    ServerCertificate renewed = certificate();
    write(files.certificate(), renewed.leaf());
    renewal.check(Instant.now());
    assertThat(taken).isEmpty();

    write(files.key(), new JcaPKCS8Generator(renewed.key(), null));
    renewal.check(Instant.now());

    assertThat(taken).hasSize(1);
  }

  @Test
  void keepsTheFormer_whenFilesAreGoneOrDamaged() throws Exception {
    Files.delete(files.key());
    renewal.check(Instant.now());
    Files.writeString(files.key(), "nonsense");
    renewal.check(Instant.now());

    assertThat(taken).isEmpty();
  }

  private static ServerCertificate certificate() throws Exception {
    return SelfSignedCertificate.make("localhost", Instant.now());
  }

  private void write(ServerCertificate certificate) throws Exception {
    write(files.certificate(), certificate.leaf());
    write(files.key(), new JcaPKCS8Generator(certificate.key(), null));
  }

  /** Each time with a later time of change. */
  private void write(Path file, Object part) throws IOException {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(part);
    }
    Files.writeString(file, text.toString());
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000 * changes++));
  }
}
