package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proxy.FrontEnds.Connection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrontEndsTest {
  private static final String PEER = "10.0.0.1";
  private static final List<String> TRUSTED = List.of("10.0.0.0/8", "2001:db8:f::/48");
  private static final String ALL_FIELDS =
      "X-Forwarded-For: 203.0.113.7 | X-Forwarded-Proto: https | X-Forwarded-Host: pub.example"
          + " | X-Forwarded-Prefix: /mfp";

  private static FrontEnds frontEnds(String publicUrl, String rootPath, String... trusted) {
    return FrontEnds.of(
        new FrontEndConfig(List.of(trusted), Optional.ofNullable(publicUrl), rootPath), () -> 0);
  }

  private static Arrival arrival(FrontEnds frontEnds, String peer, String fields) {
    Map<String, List<String>> lines = new HashMap<>();
    Arrays.stream(fields.split("\\|", -1))
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .forEach(
            line ->
                lines
                    .computeIfAbsent(
                        line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT),
                        name -> new ArrayList<>())
                    .add(line.substring(line.indexOf(':') + 1).strip()));
    return frontEnds.arrival(
        new Connection(peer, "http", "box.lan:8888", "192.0.2.9:8888", ""),
        name -> lines.getOrDefault(name.toLowerCase(Locale.ROOT), List.of()));
  }

  private static Arrival behindFrontEnd(String fields) {
    return arrival(frontEnds(null, "", TRUSTED.toArray(String[]::new)), PEER, fields);
  }

  private static String client(String fields) {
    return behindFrontEnd(fields).caller().address();
  }

  private static String url(String fields) {
    return behindFrontEnd(fields).publicAddress().url("");
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.7, 192.0.2.7",
    "0:0:0:0:0:0:0:1, ::1",
    "[0:0:0:0:0:0:0:1], ::1",
    "fe80:0:0:0:0:0:0:1%eth0, fe80::1",
    "::ffff:192.0.2.7, 192.0.2.7",
    "null, null",
    "'', ''",
  })
  void callsThePeerTheClient_whenThereIsNoField(String peer, String expected) {
    assertThat(arrival(frontEnds(null, ""), peer, "").caller())
        .isEqualTo(new Caller(expected, false));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Forwarded: for=x",
        "X-Forwarded-For: x",
        "X-Real-IP: x",
        "X-Forwarded-Proto: x",
        "X-Forwarded-Host: x",
        "X-Forwarded-Port: x",
        "X-Forwarded-Prefix: x",
        "X-Forwarded-Ssl: x",
        "X-Forwarded-Protocol: x",
        "X-Url-Scheme: x",
        "x-forwarded-for:"
      })
  void saysThatARequestIsForwarded_whoeverSaysSo(String field) {
    assertThat(behindFrontEnd(field).caller()).isEqualTo(new Caller(PEER, true));
    assertThat(arrival(frontEnds(null, ""), "192.0.2.7", field).caller())
        .isEqualTo(new Caller("192.0.2.7", true));
  }

  @ParameterizedTest
  @CsvSource({
    "10.255.255.255, true",
    "::ffff:10.0.0.1, true",
    "::ffff:a00:1, true",
    "2001:db8:f:0:0:0:0:1, true",
    "2001:db8:f::1%eth0, true",
    "[2001:db8:f::1], true",
    "11.0.0.1, false",
    "127.0.0.1, false",
    "2001:db8:e::1, false",
    "localhost, false",
    "null, false",
  })
  void believesTrustedPeersOnly(String peer, boolean isBelieved) {
    Arrival arrival =
        arrival(frontEnds(null, "", TRUSTED.toArray(String[]::new)), peer, ALL_FIELDS);

    assertThat(arrival.caller().address().equals("203.0.113.7")).isEqualTo(isBelieved);
    assertThat(arrival.publicAddress().url("/x"))
        .isEqualTo(isBelieved ? "https://pub.example/mfp/x" : "http://box.lan:8888/x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1"})
  void believesThisMachine_byDefault(String peer) {
    FrontEnds byDefault = FrontEnds.of(FrontEndConfig.defaults(), () -> 0);

    assertThat(arrival(byDefault, peer, ALL_FIELDS).caller().address()).isEqualTo("203.0.113.7");
    assertThat(arrival(byDefault, "127.0.0.2", ALL_FIELDS).caller().address())
        .isEqualTo("127.0.0.2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      value = {
        "X-Forwarded-For: 203.0.113.7 > 203.0.113.7",
        "X-Forwarded-For: 1.1.1.1, 203.0.113.7 > 203.0.113.7",
        "X-Forwarded-For: 1.1.1.1, 203.0.113.7, 10.0.0.2, 10.0.0.3 > 203.0.113.7",
        "X-Forwarded-For: 1.1.1.1 | X-Forwarded-For: 203.0.113.7,10.0.0.2 > 203.0.113.7",
        "X-Forwarded-For: 10.0.0.9, 10.0.0.2 > 10.0.0.9",
        "X-Forwarded-For: ::ffff:10.0.0.9, 10.0.0.2 > 10.0.0.9",
        "X-Forwarded-For: , 203.0.113.7 ,, > 203.0.113.7",
        "X-Forwarded-For: > 10.0.0.1",
        "X-Forwarded-For: 203.0.113.7:4711 > 203.0.113.7",
        "X-Forwarded-For: [2001:DB8::7]:4711 > 2001:db8::7",
        "X-Forwarded-For: 2001:db8:0:0:0:0:0:7 > 2001:db8::7",
        "X-Forwarded-For: ::ffff:203.0.113.7 > 203.0.113.7",
        "X-Forwarded-For: 203.0.113.7, unknown, 10.0.0.2 > 10.0.0.2",
        "X-Forwarded-For: 203.0.113.7, garbage > 10.0.0.1",
        "X-Forwarded-For: 203.0.113.7, _hidden > 10.0.0.1",
        "X-Forwarded-For: unknown > 10.0.0.1",
        "X-Forwarded-For: 203.0.113.7 | X-Real-IP: 9.9.9.9 > 203.0.113.7",
        "X-Forwarded-For: unknown | X-Real-IP: 9.9.9.9 > 10.0.0.1",
        "X-Real-IP: 203.0.113.7 > 203.0.113.7",
        "X-Real-IP: 203.0.113.7 | X-Real-IP: 9.9.9.9 > 10.0.0.1",
        "X-Real-IP: 203.0.113.7, 9.9.9.9 > 10.0.0.1",
        "Forwarded: for=203.0.113.7 > 203.0.113.7",
        "Forwarded: for=1.1.1.1, for=203.0.113.7;proto=https, for=10.0.0.2 > 203.0.113.7",
        "Forwarded: for=1.1.1.1 | Forwarded: For=\"[2001:db8::7]:80\" > 2001:db8::7",
        "Forwarded: for=203.0.113.7, for=unknown, for=10.0.0.2 > 10.0.0.2",
        "Forwarded: for=203.0.113.7, for=\"_x\" > 10.0.0.1",
        "Forwarded: for=203.0.113.7, proto=https > 10.0.0.1",
        "Forwarded: for=203.0.113.7; > 203.0.113.7",
        "Forwarded: for=203.0.113.7 for=9.9.9.9 > 10.0.0.1",
        "Forwarded: for=203.0.113.7 | X-Real-IP: 9.9.9.9 > 203.0.113.7",
        "Forwarded: for=203.0.113.7 | X-Forwarded-For: 1.1.1.1, 203.0.113.7 > 203.0.113.7",
        "Forwarded: for=203.0.113.7 | X-Forwarded-For: 9.9.9.9 > 10.0.0.1",
        "Forwarded: \"garbage | X-Forwarded-For: 203.0.113.7 > 10.0.0.1",
      })
  void findsTheClient_fromTheRight(String fields, String expected) {
    assertThat(client(fields)).isEqualTo(expected);
  }

  @Test
  void takesTheLeftMost_whenEverybodyIsTrusted() {
    FrontEnds everybody = frontEnds(null, "", "*");

    assertThat(arrival(everybody, "192.0.2.7", "X-Forwarded-For: 1.1.1.1, 2.2.2.2").caller())
        .isEqualTo(new Caller("1.1.1.1", true));
    assertThat(arrival(everybody, "null", "X-Forwarded-For: 1.1.1.1").caller().address())
        .isEqualTo("1.1.1.1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      value = {
        "'' > http://box.lan:8888",
        "X-Forwarded-Proto: https > https://box.lan:8888",
        "X-Forwarded-Proto: HTTPS, http > https://box.lan:8888",
        "X-Forwarded-Proto: javascript > http://box.lan:8888",
        "X-Forwarded-Proto: javascript | X-Forwarded-Ssl: on > https://box.lan:8888",
        "X-Forwarded-Proto: http | X-Forwarded-Ssl: on > http://box.lan:8888",
        "X-Forwarded-Ssl: off > http://box.lan:8888",
        "X-Forwarded-Protocol: https > https://box.lan:8888",
        "X-Url-Scheme: https > https://box.lan:8888",
        "X-Forwarded-Host: Pub.Example, other > http://pub.example",
        "X-Forwarded-Host: pub.example:80 > http://pub.example",
        "X-Forwarded-Host: pub.example:443 | X-Forwarded-Proto: https > https://pub.example",
        "X-Forwarded-Host: pub.example:443 > http://pub.example:443",
        "X-Forwarded-Host: pub.example | X-Forwarded-Port: 8443, 1 > http://pub.example:8443",
        "X-Forwarded-Host: pub.example:1 | X-Forwarded-Port: 8443 > http://pub.example:1",
        "X-Forwarded-Host: pub.example | X-Forwarded-Port: 0 > http://pub.example",
        "X-Forwarded-Host: pub.example | X-Forwarded-Port: x > http://pub.example",
        "X-Forwarded-Host: [2001:DB8::1]:9 > http://[2001:db8::1]:9",
        "X-Forwarded-Host: evil.example/path > http://box.lan:8888",
        "X-Forwarded-Host: user@evil.example > http://box.lan:8888",
        "X-Forwarded-Host: evil.example\"onload= > http://box.lan:8888",
        "X-Forwarded-Host: evil.example:99999 > http://box.lan:8888",
        "X-Forwarded-Host: [::g] > http://box.lan:8888",
        "X-Forwarded-Host: > http://box.lan:8888",
        "X-Forwarded-Prefix: /mfp > http://box.lan:8888/mfp",
        "X-Forwarded-Prefix: /mfp/ > http://box.lan:8888/mfp",
        "X-Forwarded-Prefix: / > http://box.lan:8888",
        "X-Forwarded-Prefix: /a | X-Forwarded-Prefix: /b > http://box.lan:8888/a/b",
        "X-Forwarded-Prefix: mfp > http://box.lan:8888",
        "X-Forwarded-Prefix: //evil.example > http://box.lan:8888",
        "X-Forwarded-Prefix: /a/../b > http://box.lan:8888",
        "X-Forwarded-Prefix: /a?b > http://box.lan:8888",
        "X-Forwarded-Prefix: /a, //b > http://box.lan:8888",
        "Forwarded: for=1.1.1.1;host=pub.example;proto=https > https://pub.example",
        "Forwarded: for=1.1.1.1;host=\"pub.example:8443\";proto=https > https://pub.example:8443",
        "Forwarded: host=evil.example, for=1.1.1.1;host=pub.example > http://pub.example",
        "Forwarded: for=1.1.1.1;host=pub.example, for=10.0.0.2;host=in.lan > http://pub.example",
        "Forwarded: proto=https > https://box.lan:8888",
        "Forwarded: for=1.1.1.1 | X-Forwarded-Host: evil.example > http://box.lan:8888",
        "Forwarded: for=1.1.1.1;host=evil.example | X-Forwarded-For: 1.1.1.1"
            + " > http://box.lan:8888",
        "Forwarded: for=1.1.1.1 | X-Forwarded-For: 2.2.2.2 | X-Forwarded-Host: evil.example"
            + " | X-Forwarded-Prefix: /evil > http://box.lan:8888",
      })
  void findsThePublicAddress(String fields, String expected) {
    assertThat(url(fields)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "box.lan:8888, http://box.lan:8888",
    "BOX.lan:80, http://box.lan",
    "[::1]:8888, http://[::1]:8888",
    "evil\"<script>, http://192.0.2.9:8888",
    "'', http://192.0.2.9:8888",
  })
  void namesTheHostThatWasAskedFor_unlessItIsOdd(String host, String expected) {
    Arrival arrival =
        frontEnds(null, "")
            .arrival(new Connection(PEER, "http", host, "192.0.2.9:8888", ""), name -> List.of());

    assertThat(arrival.publicAddress().url("")).isEqualTo(expected);
  }

  @Test
  void prefersWhatTheOperatorSays() {
    FrontEnds told = frontEnds("https://Proxy.Example:443/path/", "/root", "10.0.0.1");

    assertThat(arrival(told, PEER, ALL_FIELDS).publicAddress())
        .isEqualTo(new PublicAddress("https://proxy.example", "/path"));
    assertThat(arrival(told, "192.0.2.7", "").publicAddress())
        .isEqualTo(new PublicAddress("https://proxy.example", "/path"));
  }

  @Test
  void putsTheFrontEndsPathBeforeTheContainers() {
    Connection inContainer = new Connection(PEER, "https", "h", "192.0.2.9:1", "/millrace");
    FrontEnds rooted = frontEnds(null, "/root", "10.0.0.1");

    assertThat(rooted.arrival(inContainer, name -> List.of()).publicAddress().url("/x"))
        .isEqualTo("https://h/root/millrace/x");
    assertThat(
            rooted
                .arrival(
                    inContainer,
                    name -> name.equals("X-Forwarded-Prefix") ? List.of("/mfp") : List.of())
                .publicAddress()
                .url("/x"))
        .isEqualTo("https://h/mfp/millrace/x");
  }

  @ParameterizedTest
  @CsvSource({
    "/proxy/stream, /proxy/stream",
    "/root/proxy/stream, /proxy/stream",
    "/mfp/proxy/stream/a%2Fb.mkv, /proxy/stream/a%2Fb.mkv",
    "/mfp/_token_T/x, /_token_T/x",
    "/root/_token_T, /_token_T",
    "/root/, /",
    "/root, /root",
    "/rootproxy/stream, /rootproxy/stream",
    "/root/nope, /root/nope",
    "/root/root/proxy/stream, /root/root/proxy/stream",
    "/mfp/root/proxy/stream, /mfp/root/proxy/stream",
    "/%72oot/proxy/stream, /%72oot/proxy/stream",
  })
  void findsRoutesWithAndWithoutWhatAFrontEndPutsBefore(String path, String expected) {
    FrontEnds rooted = frontEnds(null, "/root", "10.0.0.1");

    assertThat(rooted.routePath(arrival(rooted, PEER, ALL_FIELDS), path)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "/proxy, /proxy/stream, /proxy/stream",
    "/proxy, /proxy/proxy/stream, /proxy/stream",
    "/live, /live/user/pass/1.ts, /live/user/pass/1.ts",
    "/live, /live/proxy/stream, /proxy/stream",
  })
  void leavesRoutesWhole_thatBeginLikeAPrefix(String root, String path, String expected) {
    FrontEnds rooted = frontEnds(null, root);

    assertThat(rooted.routePath(arrival(rooted, PEER, ""), path)).isEqualTo(expected);
  }

  @Test
  void takesNoPrefixOffForStrangers() {
    FrontEnds plain = frontEnds(null, "", "10.0.0.1");

    assertThat(plain.routePath(arrival(plain, "192.0.2.7", ALL_FIELDS), "/mfp/proxy/stream"))
        .isEqualTo("/mfp/proxy/stream");
  }

  @Test
  void believes64NodesIn8KibAndNoMore() {
    String nodes = String.join(",", Collections.nCopies(63, "1.1.1.1"));
    String list = "X-Forwarded-For: " + nodes + ",203.0.113.7";
    String forwarded = "Forwarded: " + "for=1.1.1.1,".repeat(63) + "for=203.0.113.7";

    assertThat(client(list)).isEqualTo("203.0.113.7");
    assertThat(client(forwarded)).isEqualTo("203.0.113.7");
    assertThat(client(list.replaceFirst(": ", ": 1.1.1.1,"))).isEqualTo(PEER);
    assertThat(client(forwarded.replaceFirst(": ", ": for=1.1.1.1,"))).isEqualTo(PEER);
  }

  @Test
  void believes8KibAndNoMore() {
    String longest = "x".repeat((8 << 10) - ",203.0.113.7".length()) + ",203.0.113.7";

    assertThat(client("X-Forwarded-For: " + longest)).isEqualTo("203.0.113.7");
    assertThat(client("X-Forwarded-For: x" + longest)).isEqualTo(PEER);
    assertThat(client("X-Forwarded-For: x | X-Forwarded-For: " + longest.substring(1)))
        .isEqualTo(PEER);
  }

  @Test
  void believesNothing_whenThereIsTooMuch() {
    String tooMuch = "1.1.1.1,".repeat(65) + "203.0.113.7";

    assertThat(url(ALL_FIELDS.replace("203.0.113.7", tooMuch))).isEqualTo("http://box.lan:8888");
  }

  @Test
  void believesPrefixesOf256CharactersInAll() {
    String half = "/" + "a".repeat(127);

    assertThat(behindFrontEnd("X-Forwarded-Prefix: " + half + "," + half).prefix()).hasSize(256);
    assertThat(behindFrontEnd("X-Forwarded-Prefix: " + half + "," + half + "a").prefix()).isEmpty();
  }
}
