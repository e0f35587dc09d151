package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetPolicyTest {
  private static final List<String> INTERNAL_IPV4 =
      List.of(
          "0.0.0.0",
          "0.255.255.255",
          "10.0.0.0",
          "10.255.255.255",
          "100.64.0.0",
          "100.127.255.255",
          "127.0.0.0",
          "127.255.255.255",
          "169.254.0.0",
          "169.254.169.254",
          "169.254.255.255",
          "172.16.0.0",
          "172.31.255.255",
          "192.0.0.0",
          "192.0.0.255",
          "192.168.0.0",
          "192.168.255.255",
          "198.18.0.0",
          "198.19.255.255",
          "224.0.0.0",
          "239.255.255.255",
          "240.0.0.0",
          "255.255.255.255");

  private static final List<String> PUBLIC_IPV4 =
      List.of(
          "1.0.0.0",
          "9.255.255.255",
          "11.0.0.0",
          "100.63.255.255",
          "100.128.0.0",
          "126.255.255.255",
          "128.0.0.0",
          "169.253.255.255",
          "169.255.0.0",
          "172.15.255.255",
          "172.32.0.0",
          "191.255.255.255",
          "192.0.1.0",
          "192.0.2.1",
          "192.167.255.255",
          "192.169.0.0",
          "198.17.255.255",
          "198.20.0.0",
          "223.255.255.255",
          "8.8.8.8");

  private static final List<String> EMBEDDINGS =
      List.of(
          "0000 0000 0000 0000 0000 ffff IPV4",
          "0000 0000 0000 0000 0000 0000 IPV4",
          "0000 0000 0000 0000 ffff 0000 IPV4",
          "0064 ff9b 0000 0000 0000 0000 IPV4",
          "2002 IPV4 0000 0000 0000 0000 0001",
          "2001 0000 IPV4 0000 0000 f7f7 f7f7",
          "2001 0000 0808 0808 0000 0000 IPV4^");

  static Stream<String> internalIpv4() {
    return INTERNAL_IPV4.stream();
  }

  static Stream<String> publicIpv4() {
    return PUBLIC_IPV4.stream();
  }

  @ParameterizedTest
  @MethodSource("internalIpv4")
  void refusesInternalIpv4_inEveryForm(String ipv4) throws UnknownHostException {
    assertRefused("", address(ipv4));
    for (String embedding : EMBEDDINGS) {
      assertRefused("", embedded(embedding, ipv4));
    }
  }

  @ParameterizedTest
  @MethodSource("publicIpv4")
  void permitsPublicIpv4_inEveryForm(String ipv4) throws UnknownHostException {
    assertPermitted("", address(ipv4));
    for (String embedding : EMBEDDINGS) {
      assertPermitted("", embedded(embedding, ipv4));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "::",
        "::1",
        "::2",
        "fe80::",
        "fe80::1",
        "febf:ffff::1",
        "fec0::",
        "feff:ffff::1",
        "fc00::",
        "fd12:3456::1",
        "fdff:ffff::ffff",
        "ff00::",
        "ff02::1",
        "ffff:ffff::1",
        "64:ff9b:1::",
        "64:ff9b:1:ffff::1",
        "64:ff9b:1::808:808"
      })
  void refusesInternalIpv6(String ipv6) throws UnknownHostException {
    assertRefused("", address(ipv6));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fbff:ffff::1",
        "fe00::1",
        "fe7f:ffff::1",
        "64:ff9b:2::1",
        "64:ff9b:0:1::1",
        "64:ff9a::1",
        "2001:1::7f00:1",
        "2001:db8::1",
        "2003:7f00:1::",
        "2606:4700::1111",
        "::1:0:0:1"
      })
  void permitsNeighboursOfInternalIpv6(String ipv6) throws UnknownHostException {
    assertPermitted("", address(ipv6));
  }

  @ParameterizedTest
  @CsvSource({
    "loopback, 127.0.0.1",
    "loopback, 127.255.0.1",
    "loopback, ::1",
    "LoopBack, 127.0.0.1",
    "private, 10.1.2.3",
    "private, 172.20.0.1",
    "private, 192.168.1.1",
    "private, 100.64.0.1",
    "private, fd00::1",
    "10.0.0.0/8, 10.9.9.9",
    "10.9.9.9/8, 10.1.1.1",
    "10.0.0.0/9, 10.127.255.255",
    "10.0.0.7, 10.0.0.7",
    "0.0.0.0/0, 127.0.0.1",
    "fd00:1::/32, fd00:1:2::1",
    "fd00::1, fd00::1",
    "[fd00::1], fd00::1",
    "::/0, fe80::1",
    "::ffff:10.0.0.0/104, 10.1.1.1",
    "::ffff:10.0.0.1, 10.0.0.1",
    "10.0.0.7:8080, 10.0.0.7",
    "[fd00::1]:8080, fd00::1",
    "64:ff9b:1::/48, 64:ff9b:1::a00:1",
    "2002:a00:1::/48, 2002:a00:1::1",
    "origin.example, 10.0.0.1",
    "Origin.Example., 10.0.0.1",
    "*.example, 10.0.0.1",
    "origin.example:8080, 10.0.0.1",
    "*.example:8080, fe80::1"
  })
  void permitsWhatIsListed(String entry, String address) throws UnknownHostException {
    assertPermitted(entry, address(address));
  }

  @ParameterizedTest
  @CsvSource({
    "loopback, 10.0.0.1",
    "loopback, ::",
    "loopback, 0.0.0.0",
    "private, 127.0.0.1",
    "private, ::1",
    "private, 169.254.169.254",
    "private, fe80::1",
    "private, fec0::1",
    "10.0.0.0/9, 10.128.0.0",
    "10.0.0.7, 10.0.0.8",
    "10.0.0.7:8081, 10.0.0.7",
    "[fd00::1]:8081, fd00::1",
    "0.0.0.0/0, ::1",
    "::/0, 127.0.0.1",
    "origin.example:8081, 10.0.0.1",
    "example, 10.0.0.1",
    "*.origin.example, 10.0.0.1",
    "*.gin.example, 10.0.0.1",
    "other.example, 10.0.0.1"
  })
  void refusesWhatIsNotListed(String entry, String address) throws UnknownHostException {
    assertRefused(entry, address(address));
  }

  @Test
  void permitsListedIpv4_inEveryForm() throws UnknownHostException {
    for (String embedding : EMBEDDINGS) {
      assertPermitted("10.0.0.0/8", embedded(embedding, "10.1.2.3"));
      assertPermitted("loopback", embedded(embedding, "127.0.0.1"));
      assertRefused("private", embedded(embedding, "127.0.0.1"));
    }
  }

  @Test
  void refusesTeredo_whenOnlyOneOfItsAddressesIsListed() throws UnknownHostException {
    InetAddress both = embedded("2001 0000 0a00 0001 0000 0000 IPV4^", "127.0.0.1");

    assertRefused("loopback", both);
    assertRefused("private", both);
    assertThat(TargetPolicy.of(List.of("loopback", "private")))
        .satisfies(policy -> assertThat(permitted(policy, both)).containsExactly(both));
  }

  @Test
  void keepsOrder_whenSomeAreRefused() throws UnknownHostException, TargetRefusedException {
    List<InetAddress> resolved =
        List.of(address("8.8.8.8"), address("10.0.0.1"), address("::1"), address("2606::1"));

    assertThat(TargetPolicy.of(List.of()).permitted("h.example", 80, resolved))
        .containsExactly(address("8.8.8.8"), address("2606::1"));
  }

  @Test
  void permitsEveryAddressOfListedHost() throws UnknownHostException, TargetRefusedException {
    List<InetAddress> resolved = List.of(address("::1"), address("10.0.0.1"));

    assertThat(TargetPolicy.of(List.of("localhost")).permitted("LOCALHOST.", 80, resolved))
        .isEqualTo(resolved);
  }

  @Test
  void namesTheSetting_butNeitherHostNorAddress() throws UnknownHostException {
    TargetPolicy policy = TargetPolicy.of(List.of());
    List<InetAddress> resolved = List.of(address("10.11.12.13"));

    assertThatExceptionOfType(TargetRefusedException.class)
        .isThrownBy(() -> policy.permitted("h.example", 80, resolved))
        .withMessageContaining("internal address")
        .withMessageContaining("ALLOW_TARGETS")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("10.11", "h.example"))
        .satisfies(e -> assertThat(e.status()).isEqualTo(403))
        .satisfies(e -> assertThat(e.reason()).isEqualTo("target_refused"));
  }

  @Test
  void rejectsEmptyResolution() {
    TargetPolicy policy = TargetPolicy.of(List.of());

    assertThatThrownBy(() -> policy.permitted("h", 80, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/",
        "10.0.0/8",
        "fd00::/129",
        "fd00::/x",
        "0177.0.0.1",
        "127.1",
        "10.0.0.1:0",
        "10.0.0.1:99999",
        "10.0.0.1:",
        "host:",
        "host:http",
        "host/8",
        "http://host",
        "http://10.0.0.1",
        "me@host",
        "host?x",
        "host#x",
        "a b",
        "*",
        "*.",
        "*.*.a",
        "a.*",
        "*.10.0.0.1",
        "*.[::1]",
        "fe80::1%eth0",
        "[::1",
        "[::1]/128",
        "1::2::3",
        "/8"
      })
  void reportsBadEntry(String entry) {
    assertThatThrownBy(() -> TargetPolicy.of(List.of("private", entry)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("ALLOW_TARGETS: " + entry + " (expected: ");
  }

  @Test
  void skipsBlankEntries() {
    assertThatCode(() -> TargetPolicy.of(List.of("", " ", " private "))).doesNotThrowAnyException();
  }

  private static void assertPermitted(String entry, InetAddress address) {
    assertThat(permitted(TargetPolicy.of(List.of(entry)), address)).containsExactly(address);
  }

  private static void assertRefused(String entry, InetAddress address) {
    assertThat(permitted(TargetPolicy.of(List.of(entry)), address)).isEmpty();
  }

  private static List<InetAddress> permitted(TargetPolicy policy, InetAddress address) {
    try {
      return policy.permitted("origin.example", 8080, List.of(address));
    } catch (TargetRefusedException e) {
      return List.of();
    }
  }

  private static InetAddress address(String literal) throws UnknownHostException {
    return InetAddress.getByName(literal);
  }

  /** Octets as they are: {@code InetAddress.getByAddress} would unwrap mapped ones. */
  private static InetAddress embedded(String pattern, String ipv4) throws UnknownHostException {
    byte[] octets = address(ipv4).getAddress();
    String plain = hex(octets);
    for (int i = 0; i < octets.length; i++) {
      octets[i] ^= (byte) 0xFF;
    }
    String hex = pattern.replace("IPV4^", hex(octets)).replace("IPV4", plain).replace(" ", "");
    return Inet6Address.getByAddress("", HexFormat.of().parseHex(hex), -1);
  }

  private static String hex(byte[] octets) {
    return HexFormat.of().formatHex(octets);
  }

  @Test
  void refusesPublicAddressOfThisMachine_unlessLoopbackOrTheAddressIsAllowed() throws Exception {
    List<InetAddress> own = List.of(InetAddress.getByName("192.0.2.7"));

    assertThatThrownBy(() -> TargetPolicy.of(List.of(), own::contains).permitted("h", 80, own))
        .isInstanceOf(TargetRefusedException.class);
    assertThatThrownBy(
            () -> TargetPolicy.of(List.of("private"), own::contains).permitted("h", 80, own))
        .isInstanceOf(TargetRefusedException.class);
    for (String allowed : List.of("loopback", "192.0.2.7", "h")) {
      TargetPolicy policy = TargetPolicy.of(List.of(allowed), own::contains);
      assertThat(policy.permitted("h", 80, own)).isEqualTo(own);
    }
  }
}
