package dev.millrace.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.upstream.BadTargetException;
import dev.millrace.upstream.Target;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForwardConfigTest {
  private final ForwardHosts hosts =
      new ForwardHosts(
          new ForwardConfig(
              List.of("*.Allowed.example", "one.example.", "192.0.2.1", "2001:db8::1"),
              List.of("bad.allowed.example", "*.worse.allowed.example"),
              0,
              0));

  @Test
  void hasTheDefaultsOfTheDocumentation() {
    assertThat(ForwardConfig.defaults())
        .isEqualTo(new ForwardConfig(List.of(), List.of(), 52_428_800, 10_485_760));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://allowed.example/",
        "https://a.b.ALLOWED.example:8443/x",
        "http://one.example/",
        "http://one.example./",
        "http://192.0.2.1/",
        "http://[2001:DB8:0::1]/",
      })
  void allows(String url) throws Exception {
    hosts.check(Target.parse(url));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://notallowed.example/",
        "http://a.one.example/",
        "http://allowed.example.evil/",
        "http://192.0.2.2/",
        "http://allowed.example@evil/",
      })
  void refusesWhatIsNotAllowed(String url) {
    assertThatThrownBy(() -> hosts.check(Target.parse(url)))
        .isInstanceOfSatisfying(
            ForwardException.class,
            e -> assertThat(e.reason()).isEqualTo("forward_host_not_allowed"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://bad.allowed.example/",
        "http://bad.allowed.example./",
        "http://worse.allowed.example/",
        "http://x.worse.allowed.example/",
      })
  void refusesWhatIsDenied_thoughAllowed(String url) {
    assertThatThrownBy(() -> hosts.check(Target.parse(url)))
        .isInstanceOfSatisfying(
            ForwardException.class, e -> assertThat(e.reason()).isEqualTo("forward_host_denied"));
  }

  @Test
  void allowsEveryHost_withoutAList() throws ForwardException, BadTargetException {
    new ForwardHosts(ForwardConfig.defaults()).check(Target.parse("http://any.example/"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*",
        "*.",
        "a.*.example",
        "http://a",
        "a/b",
        "a:80",
        "u@a",
        "*.192.0.2.1",
        "a b",
        "[::1]"
      })
  void refusesEntriesThatAreNoHost(String entry) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ForwardConfig.checkedHosts(List.of("good.example", entry)))
        .withMessageContaining(entry);
  }

  @Test
  void takesEntriesThatAreHosts() {
    List<String> entries =
        List.of("a.example", "*.b.example", "::1", "127.0.0.1", "bücher.example");
    assertThat(ForwardConfig.checkedHosts(entries)).isSameAs(entries);
  }
}
