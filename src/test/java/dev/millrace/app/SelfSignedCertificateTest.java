package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelfSignedCertificateTest {
  private static final Instant NOW = Instant.parse("2026-11-30T17:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, 7, 127.0.0.1",
    "192.0.2.7, 7, 192.0.2.7",
    "2001:db8::7, 7, 2001:db8:0:0:0:0:0:7",
    "proxy.example, 2, proxy.example",
  })
  void isForWhatTheServerBinds_andForThisMachine(String host, int kind, String name)
      throws Exception {
    assertThat(names(host))
        .contains(List.of(kind, name), List.of(2, "localhost"), List.of(7, "127.0.0.1"));
  }

  @ParameterizedTest
  @CsvSource({"0.0.0.0", "::"})
  void isForEveryAddressOfTheMachine_whenTheServerBindsAll(String host) throws Exception {
    List<List<?>> addresses =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(address -> address instanceof Inet4Address)
            .limit(50)
            .<List<?>>map(address -> List.of(7, address.getHostAddress()))
            .toList();

    assertThat(names(host)).containsAll(addresses).doesNotContain(List.of(7, "0.0.0.0"));
  }

  @Test
  void isValidForAYear_fromAnHourAgo() throws Exception {
    X509Certificate leaf = SelfSignedCertificate.make("localhost", NOW).leaf();

    assertThat(leaf.getNotBefore()).isEqualTo(NOW.minus(Duration.ofHours(1)));
    assertThat(leaf.getNotAfter()).isBeforeOrEqualTo(NOW.plus(Duration.ofDays(365)));
    assertThat(leaf.getPublicKey().getAlgorithm()).isEqualTo("EC");
    leaf.verify(leaf.getPublicKey());
  }

  @Test
  void isAnotherEachTime() throws Exception {
    ServerCertificate one = SelfSignedCertificate.make("localhost", NOW);
    ServerCertificate other = SelfSignedCertificate.make("localhost", NOW);

    assertThat(one.fingerprint()).isNotEqualTo(other.fingerprint()).matches("([0-9A-F]{2}:){31}..");
    assertThat(one.leaf().getSerialNumber())
        .isPositive()
        .isNotEqualTo(other.leaf().getSerialNumber());
  }

  private static Collection<List<?>> names(String host) throws Exception {
    return SelfSignedCertificate.make(host, NOW).leaf().getSubjectAlternativeNames();
  }
}
