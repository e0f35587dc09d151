package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.upstream.IpAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples are those of RFC 7239 §4, §6 and §7.1. */
class ForwardedElementTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "for=\"_gazonk\" | [_gazonk]",
        "For=\"[2001:db8:cafe::17]:4711\" | [[2001:db8:cafe::17]:4711]",
        "for=192.0.2.60;proto=http;by=203.0.113.43 | [192.0.2.60]",
        "for=192.0.2.43, for=198.51.100.17 | [192.0.2.43, 198.51.100.17]",
        "for=192.0.2.43,for=\"[2001:db8:cafe::17]\",for=unknown"
            + " | [192.0.2.43, [2001:db8:cafe::17], unknown]",
        "  for=a ;  host=h ,, ,for=b; | [a, b]",
        "for=\"a,b;c\\\"d\\\\e\" | [a,b;c\"d\\e]",
        "for=192.0.2.1:80 | [192.0.2.1:80]",
        "for=[::1]:80 | [[::1]:80]",
        "proto=https | []",
        "'' | ",
      })
  void readsNodes(String field, String nodes) {
    List<String> found =
        ForwardedElement.parse(field).orElseThrow().stream().map(ForwardedElement::node).toList();

    assertThat(found.isEmpty() ? null : found.toString()).isEqualTo(nodes);
  }

  @Test
  void readsHostAndScheme() {
    assertThat(ForwardedElement.parse("for=x;HOST=\"h.example:8443\";Proto=https;extra=\"1\""))
        .contains(
            List.of(
                new ForwardedElement("x", Optional.of("h.example:8443"), Optional.of("https"))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "for",
        "for=",
        "for=,for=1.2.3.4",
        "for=\"a",
        "for=\"a\\",
        "for=\"a\"b",
        "for=a\"b\"",
        "for =a",
        "for= a",
        "=a",
        "for=a for=b",
        "for=a;for=b",
        "1.2.3.4",
        "f(r=a",
        ",;=;,"
      })
  void readsNothing_whenTheGrammarIsNotFollowed(String field) {
    assertThat(ForwardedElement.parse(field)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, 192.0.2.1",
    "192.0.2.1:65535, 192.0.2.1",
    "192.0.2.1:_port, 192.0.2.1",
    "2001:db8::1, 2001:db8::1",
    "[2001:db8::1], 2001:db8::1",
    "[2001:db8::1]:80, 2001:db8::1",
    "[fe80::1%eth0]:80, fe80::1",
    "[::ffff:192.0.2.1]:80, 192.0.2.1",
  })
  void findsTheAddressOfANode(String node, String expected) {
    assertThat(ForwardedNode.address(node).map(IpAddress::toString)).contains(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "unknown",
        "_hidden",
        "",
        ":80",
        "[]",
        "[]:80",
        "[192.0.2.1]",
        "192.0.2.1:",
        "192.0.2.1:x",
        "192.0.2.1:123456",
        "[::1",
        "::1]",
        "[::1]x",
        "host.example",
        "192.0.2.1 ",
        "1.2.3"
      })
  void findsNone_whenTheNodeHidesItOrIsOdd(String node) {
    assertThat(ForwardedNode.address(node)).isEmpty();
  }
}
