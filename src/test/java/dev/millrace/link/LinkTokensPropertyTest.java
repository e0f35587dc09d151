package dev.millrace.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.link.LinkTokens.OpenedLink;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds for every link, and for every text that claims to be one. */
class LinkTokensPropertyTest {
  private static final List<String> SECRETS = List.of("a secret for tests only");
  private static final LinkTokens OURS = new LinkTokens("pw", SECRETS, LinkFormat.V2, true);
  private static final LinkTokens COMPATIBLE =
      new LinkTokens("pw", SECRETS, LinkFormat.COMPATIBLE, true);

  @Property
  void opensWhatItSealed(@ForAll("links") ProxyLink link) throws LinkTokenException {
    OpenedLink opened = OURS.open(OURS.seal(link));

    assertThat(opened.isAuthentic()).isTrue();
    assertThat(opened.link()).isEqualTo(link);
  }

  @Property
  void opensWhatItSealed_inTheCompatibleFormatToo(@ForAll("links") ProxyLink link)
      throws LinkTokenException {
    OpenedLink opened = COMPATIBLE.open(COMPATIBLE.seal(link));

    assertThat(opened.isAuthentic()).isFalse();
    assertThat(opened.link().parameters())
        .containsAllEntriesOf(link.parameters())
        .containsEntry("api_password", "pw");
    assertThat(opened.link().rights().expiry()).isEqualTo(link.rights().expiry());
  }

  @Property
  void refusesWhatItHasNotSealed(@ForAll("links") ProxyLink link, @ForAll("edits") Edit edit) {
    String changed = edit.of(OURS.seal(link));

    assertThatThrownBy(() -> OURS.open(changed)).isInstanceOf(LinkTokenException.class);
  }

  @Property
  void refusesAnyText(@ForAll String text) {
    assertThatThrownBy(() -> OURS.open(text)).isInstanceOf(LinkTokenException.class);
    assertThatThrownBy(() -> OURS.open("v2." + text)).isInstanceOf(LinkTokenException.class);
  }

  /** One character of a token in place of another. */
  record Edit(int place, char character) {
    String of(String token) {
      StringBuilder text = new StringBuilder(token);
      int at = place % text.length();
      text.setCharAt(at, text.charAt(at) == character ? '.' : character);
      return text.toString();
    }
  }

  @Provide
  static Arbitrary<Edit> edits() {
    return Combinators.combine(
            Arbitraries.integers().between(4, 100_000),
            Arbitraries.chars().alpha().numeric().with('-', '_'))
        .as(Edit::new);
  }

  @Provide
  static Arbitrary<ProxyLink> links() {
    Arbitrary<String> names =
        Arbitraries.strings()
            .ofMaxLength(20)
            .filter(name -> !List.of("exp", "ip", "api_password").contains(name))
            .filter(LinkTokensPropertyTest::isText);
    Arbitrary<String> values =
        Arbitraries.strings().ofMaxLength(200).filter(LinkTokensPropertyTest::isText);
    Arbitrary<Map<String, String>> parameters = Arbitraries.maps(names, values).ofMaxSize(10);
    Arbitrary<Optional<Instant>> expiries =
        Arbitraries.longs().between(0, 1L << 33).map(Instant::ofEpochSecond).optional();
    Arbitrary<Optional<String>> families = Arbitraries.of("stream", "hls").optional();
    return Combinators.combine(parameters, expiries, families)
        .as(
            (given, expiry, family) ->
                new ProxyLink(given, new LinkRights(expiry, Optional.empty(), family)));
  }

  /** Half a surrogate pair is no character, and cannot be written in UTF-8. */
  private static boolean isText(String text) {
    return text.codePoints().noneMatch(point -> point >= 0xD800 && point <= 0xDFFF);
  }
}
