package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrontEndConfigTest {
  @Test
  void believesThisMachine_unlessToldOtherwise() {
    assertThat(FrontEndConfig.defaults())
        .isEqualTo(new FrontEndConfig(List.of("127.0.0.1", "::1"), Optional.empty(), ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "192.0.2.1", "10.0.0.0/8", "::1", "2001:db8::/32", "0.0.0.0/0"})
  void takesAddressesBlocksAndAsterisk(String entry) {
    assertThat(FrontEndConfig.checkedTrusted(List.of("127.0.0.1", entry)))
        .containsExactly("127.0.0.1", entry);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "proxy.example",
        "10.0.0.0/33",
        "10.0.0.0/",
        "::/129",
        "10.0.0",
        "[::1]",
        "10.0.0.1:80",
        "**",
        "*.example",
        "unix:",
        "fe80::1%eth0"
      })
  void namesTheEntryThatIsNone(String entry) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FrontEndConfig.checkedTrusted(List.of("127.0.0.1", entry)))
        .withMessageStartingWith("\"" + entry + "\"")
        .withMessageContaining("10.0.0.0/8");
  }

  @Test
  void takes256Entries() {
    List<String> most = Collections.nCopies(256, "127.0.0.1");
    List<String> more = Collections.nCopies(257, "127.0.0.1");

    assertThatCode(() -> FrontEndConfig.checkedTrusted(most)).doesNotThrowAnyException();
    assertThatIllegalArgumentException().isThrownBy(() -> FrontEndConfig.checkedTrusted(more));
  }

  @ParameterizedTest
  @CsvSource({
    "https://proxy.example, https://proxy.example",
    "HTTPS://Proxy.Example/, https://proxy.example",
    "https://proxy.example:443/path/, https://proxy.example/path",
    "http://proxy.example:80, http://proxy.example",
    "http://proxy.example:443, http://proxy.example:443",
    "http://[2001:DB8::1]:8888/a/b, http://[2001:db8::1]:8888/a/b",
    "http://192.0.2.1:1, http://192.0.2.1:1",
    "http://192.0.2.1:65535, http://192.0.2.1:65535",
  })
  void readsThePublicAddress(String url, String expected) {
    assertThat(FrontEndConfig.checkedPublicUrl(url)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "proxy.example",
        "//proxy.example",
        "ftp://proxy.example",
        "https://",
        "https:///path",
        "https://user:secret@proxy.example",
        "https://secret@proxy.example",
        "https://proxy.example?secret",
        "https://proxy.example/#secret",
        "https://proxy.example:0",
        "https://proxy.example:65536",
        "https://proxy.example:",
        "https://proxy example",
        "https://proxy.example//path",
        "https://proxy.example/../secret",
        "https://proxy.example/a%2Fsecret",
        "https://[::1",
        "https://[::g]",
        "https://.example"
      })
  void refusesWhatIsNoPublicAddress_andDoesNotRepeatIt(String url) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FrontEndConfig.checkedPublicUrl(url))
        .withMessageContaining("expected: ")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
  }

  @ParameterizedTest
  @CsvSource({"/millrace, /millrace", "/a/b-c_d.e~f/, /a/b-c_d.e~f", "/, ''", "/..., /..."})
  void readsTheRootPath(String path, String expected) {
    assertThat(FrontEndConfig.checkedRootPath(path)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "millrace",
        "//",
        "/a//b",
        "/a//",
        "/..",
        "/a/../b",
        "/.",
        "/a/.",
        "/a b",
        "/a?b",
        "/a#b",
        "/a;b",
        "/a\"b",
        "/a<b",
        "/a%2e",
        "/\u00fc",
        "/a\\b",
        "/a\u0000"
      })
  void refusesWhatIsNoRootPath(String path) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FrontEndConfig.checkedRootPath(path))
        .withMessageContaining("/millrace");
  }

  @Test
  void takesPathsOf256Characters() {
    assertThat(FrontEndConfig.checkedRootPath("/" + "a".repeat(255))).hasSize(256);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FrontEndConfig.checkedRootPath("/" + "a".repeat(256)));
  }

  @Test
  void takesHostsOf255Characters() {
    assertThat(HostAndPort.parse("h".repeat(255))).isPresent();
    assertThat(HostAndPort.parse("h".repeat(256))).isEmpty();
  }
}
