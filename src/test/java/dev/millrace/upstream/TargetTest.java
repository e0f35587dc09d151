package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "//",
        "//a",
        "///a//b///",
        "/a?",
        "/a??",
        "/?",
        "/?&",
        "/a?x=1&",
        "/a?x=%2F%2f%2B+b&y=",
        "/a?sig=Zm9v%2BYmFy%3D%3D&e=1,2,(3)~@:!$'*;",
        "/v/(id)~1,2@x/seg+1.ts?Policy=eyJ_-~&Key-Pair-Id=A",
        "/a|b/{id}/\"x\"<y>\\^`[z]",
        "/a/./b/../c/%2e%2e/d",
        "/a;b=1;c=2/d=e",
        "/%FF%00%0d%0A",
        "/http://other.example/x?u=https://third.example/?q",
        "/a?q=/../x"
      })
  void keepsRequestTargetByteForByte(String requestTarget) throws BadTargetException {
    Target target = Target.parse("https://cdn.example" + requestTarget);

    assertThat(target.requestTarget()).isEqualTo(requestTarget);
    assertThat(target.resolve("http://other.example" + requestTarget).requestTarget())
        .isEqualTo(requestTarget);
  }

  @Test
  void keepsRequestTargetByteForByte_whateverItIsMadeOf() throws BadTargetException {
    String pieces = "aZ09-._~:/?[]@!$&'()*+,;=|{}\"<>\\^`";
    Random random = new Random(2);
    for (int i = 0; i < 2_000; i++) {
      StringBuilder requestTarget = new StringBuilder("/");
      for (int length = random.nextInt(40); length > 0; length--) {
        int piece = random.nextInt(pieces.length() + 4);
        requestTarget.append(
            piece < pieces.length()
                ? String.valueOf(pieces.charAt(piece))
                : String.format(piece % 2 == 0 ? "%%%02x" : "%%%02X", random.nextInt(256)));
      }
      assertThat(Target.parse("http://h" + requestTarget).requestTarget())
          .isEqualTo(requestTarget.toString());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "http://h, /",
    "http://h?x=1, /?x=1",
    "http://h#f, /",
    "http://h/a#f?x, /a",
    "http://h/a?x#f#g, /a?x",
    "http://h/a b?c d, /a%20b?c%20d",
    "http://h/é€/😀, /%C3%A9%E2%82%AC/%F0%9F%98%80",
    "http://h/a%20é b, /a%20%C3%A9%20b"
  })
  void completesAndEncodesOnce(String url, String requestTarget) throws BadTargetException {
    assertThat(Target.parse(url).requestTarget()).isEqualTo(requestTarget);
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP://Example.COM/, http://example.com:80",
    "hTTps://h:/, https://h:443",
    "https://h:8443, https://h:8443",
    "http://h:00080, http://h:80",
    "http://my_cdn.example./x, http://my_cdn.example.:80",
    "http://user:p@h:1@real.example/, http://real.example:80",
    "http://bücher.example/, http://xn--bcher-kva.example:80",
    "http://a。b.example/, http://a.b.example:80",
    "http://127.0.0.1/, http://127.0.0.1:80",
    "http://１２７.0.0.1/, http://127.0.0.1:80",
    "'http://[2001:DB8:0:0:1:0:0:1]:81/', 'http://[2001:db8::1:0:0:1]:81'",
    "'http://[::]', 'http://[::]:80'",
    "'http://[0:0:0:0:0:0:0:1]', 'http://[::1]:80'",
    "'http://[1::]', 'http://[1::]:80'",
    "'http://[1:0:2:3:4:5:6:7]', 'http://[1:0:2:3:4:5:6:7]:80'",
    "'http://[::ffff:127.0.0.1]', 'http://[::ffff:7f00:1]:80'"
  })
  void hasOneSpellingOfAnOrigin(String url, String origin) throws BadTargetException {
    assertThat(Target.parse(url).origin()).isEqualTo(origin);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0177.0.0.1",
        "2130706433",
        "0x7f.1",
        "127.1",
        "1.2.3",
        "0x7f000001",
        "0X7F000001",
        "127.0.0.1.",
        "127.0.0.0x1",
        "127.0.0.01",
        "1.2.3.256",
        "1.2.3.4.5",
        "１２７.1",
        "0x",
        "1",
        "a.1",
        "０x7f000001"
      })
  void refusesNumberThatIsNoDottedQuad(String host) {
    assertThatExceptionOfType(BadTargetException.class)
        .isThrownBy(() -> Target.parse("http://" + host + "/"))
        .withMessage("host: unusual number (expected: an address like 192.0.2.1)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1.example", "0x7f.example", "127.0.0.1.example", "1-2", "0x7g", "0xg.a1"})
  void acceptsName_whenDigitsAreNotItsLastLabel(String host) throws BadTargetException {
    assertThat(Target.parse("http://" + host).host()).isEqualTo(host);
  }

  @ParameterizedTest
  @CsvSource({
    "ftp://secret/, scheme: ftp (expected: http or https)",
    "file:///secret, scheme: file (expected: http or https)",
    "secret, scheme: none (expected: http or https)",
    "'', scheme: none (expected: http or https)",
    "//secret/, scheme: none (expected: http or https)",
    "http:/secret, host: missing (expected: // after the scheme)",
    "http:, host: missing (expected: // after the scheme)",
    "http:///secret, host: empty (expected: a name or an address)",
    "http://, host: empty (expected: a name or an address)",
    "http://secret@/, host: empty (expected: a name or an address)",
    "http://:80/secret, host: empty (expected: a name or an address)",
    "http://secret:0/, port: not a port (expected: 1 to 65535)",
    "http://secret:65536/, port: not a port (expected: 1 to 65535)",
    "http://secret:+80/, port: not a port (expected: 1 to 65535)",
    "http://secret:8o/, port: not a port (expected: 1 to 65535)",
    "http://secret:１/, port: not a port (expected: 1 to 65535)",
    "http://h/secret%, percent sign without two hexadecimal digits in the address",
    "http://h/secret%4, percent sign without two hexadecimal digits in the address",
    "http://h/secret%zz, percent sign without two hexadecimal digits in the address",
    "http://h/secret?%4g, percent sign without two hexadecimal digits in the address",
    "http://secret%zz@h/, percent sign without two hexadecimal digits in the address"
  })
  void saysWhatIsWrong_withoutTheUrl(String url, String message) {
    assertThatExceptionOfType(BadTargetException.class)
        .isThrownBy(() -> Target.parse(url))
        .withMessage(message)
        .satisfies(e -> assertThat(e.status()).isEqualTo(400))
        .satisfies(e -> assertThat(e.reason()).isEqualTo("bad_target"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://a%62/",
        "http://a b/",
        "http://a\tb/",
        "http://a\\b/",
        "http://a|b/",
        "http://a..b/",
        "http://.a/",
        "http://./",
        "http://a,b/",
        "http://\uD800/",
        "http://[::1/",
        "http://[::1%25eth0]/",
        "http://[::1%1]/",
        "http://[1.2.3.4]/",
        "http://[12345::]/",
        "http://[::1]a/",
        "http://[]/",
        "http://[:]/",
        "http://[name]/",
        "http://::1/"
      })
  void refusesHost_whenItIsNone(String url) {
    assertThatThrownBy(() -> Target.parse(url)).isInstanceOf(BadTargetException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, '\t', '\n', '\r', 0x1F, 0x7F})
  void refusesControlCharacter(int character) {
    for (String url : new String[] {"http://h/a", "http://h/a ", "http://h?é", "http://"}) {
      assertThatThrownBy(() -> Target.parse(url + (char) character + "b"))
          .isInstanceOf(BadTargetException.class);
    }
  }

  @Test
  void refusesHalfASurrogatePair() {
    assertThatThrownBy(() -> Target.parse("http://h/\uD83D"))
        .isInstanceOf(BadTargetException.class);
  }

  @Test
  void boundsHostAndLabel() throws BadTargetException {
    String label = "a".repeat(63);
    String longest = (label + ".").repeat(3) + "a".repeat(61);

    assertThat(Target.parse("http://" + longest + ".").host()).hasSize(254);
    assertThatThrownBy(() -> Target.parse("http://" + longest + "a"))
        .hasMessage("host: too long (expected: at most 253 characters)");
    assertThatThrownBy(() -> Target.parse("http://a" + label + ".example"))
        .isInstanceOf(BadTargetException.class);
  }

  @Test
  void boundsUrl() throws BadTargetException {
    String start = "http://h/";
    String longest = start + "a".repeat(Target.MAX_LENGTH - start.length());

    assertThat(Target.parse(longest).path()).hasSize(longest.length() - "http://h".length());
    assertThatThrownBy(() -> Target.parse(longest + "a")).isInstanceOf(BadTargetException.class);
    assertThatThrownBy(() -> Target.parse(start + "é".repeat(10_000)))
        .hasMessage("address: too long (expected: at most 32768 characters)");
  }

  @Test
  void readsNumberOfHugeHost_withoutRecursion() {
    assertThatThrownBy(() -> Target.parse("http://" + "1.".repeat(16_000)))
        .isInstanceOf(BadTargetException.class);
    assertThatThrownBy(() -> Target.parse("http://" + "é.".repeat(16_000)))
        .isInstanceOf(BadTargetException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "http://me:pass@h/, me:pass",
    "http://me@h/, me",
    "http://me:@h/, me:",
    "http://m%40e:p%3Aé%20 @h/, m@e:p:é  ",
    "http://a@b:c@h/, a@b:c"
  })
  void decodesCredentials(String url, String userInfo) throws BadTargetException {
    assertThat(Target.parse(url).userInfo().map(String::strip)).contains(userInfo.strip());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a%0d%0ab", "%00", "%C2%85", "%FF", "%C3", "a\nb"})
  void refusesCredentials_whenNoText(String userInfo) {
    assertThatThrownBy(() -> Target.parse("http://" + userInfo + "@h/"))
        .isInstanceOf(BadTargetException.class);
  }

  @Test
  void hasNoCredentials_whenNoneAreWritten() throws BadTargetException {
    assertThat(Target.parse("http://h/a@b").userInfo()).isEmpty();
    assertThat(Target.parse("http://@h/").userInfo()).isEmpty();
  }

  @Test
  void masksSecrets_whenPrinted() throws BadTargetException {
    Target target = Target.parse("https://me:pass@h/a?sig=secret");

    assertThat(target).hasToString("https://***@h:443/a?***");
    assertThat(Target.parse("http://h/a")).hasToString("http://h:80/a");
  }

  @ParameterizedTest
  @CsvSource({"/a/b?c/d, /a/b", "/a?, /a", "/, /"})
  void hasPathWithoutQuery(String requestTarget, String path) throws BadTargetException {
    assertThat(Target.parse("http://h" + requestTarget).path()).isEqualTo(path);
  }
}
