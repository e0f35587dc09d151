package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.upstream.ForwardProxy.Credentials;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ForwardProxyTest {
  @ParameterizedTest
  @CsvSource({
    "http://p, http://p:80",
    "https://p, https://p:443",
    "https://p:8443/, https://p:8443",
    "socks4://p, socks4://p:1080",
    "socks4a://p, socks4a://p:1080",
    "socks5://p:9050, socks5://p:9050",
    "SOCKS5H://P, socks5h://p:1080",
    "http://[::1]:3128, http://[::1]:3128",
    "socks5://user:pass@p_1, socks5://p_1:1080",
  })
  void readsProtocolHostAndPort(String url, String shown) throws BadTargetException {
    assertThat(ForwardProxy.parse(url)).hasToString(shown);
  }

  @Test
  void decodesCredentials() throws BadTargetException {
    ForwardProxy proxy = ForwardProxy.parse("http://us%40er:p%3Aa%2Fs@s@p");

    assertThat(proxy.credentials()).contains(new Credentials("us@er", "p:a/s@s"));
    assertThat(proxy.basicAuthorization()).contains("Basic dXNAZXI6cDphL3NAcw==");
    assertThat(ForwardProxy.parse("http://user@p").credentials())
        .contains(new Credentials("user", ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "p:3128",
        "http:/p",
        "ftp://hunter2@p",
        "socks://p",
        "http://",
        "http://user:hunter2@",
        "http://user:hunter2@p:x",
        "http://user:hunter2@p/path",
        "http://user:hunter2@p?q",
        "http://:hunter2@p",
        "http://us%3Aer:hunter2@p",
        "http://user:hunter2%zz@p",
        "http://user:hunter2%0A@p"
      })
  void refusesWhatIsNoProxy_withoutShowingIt(String url) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RouteConfig.checkedProxyUrl(url))
        .withMessageNotContaining("hunter2");
  }

  @Test
  void refusesCredentialsThatNoProtocolCarries() {
    RouteConfig.checkedProxyUrl("socks5://" + "u".repeat(255) + "@p");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> RouteConfig.checkedProxyUrl("socks5://" + "u".repeat(256) + "@p"));
  }
}
