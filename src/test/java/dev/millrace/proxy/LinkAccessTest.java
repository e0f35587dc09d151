package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.millrace.link.LinkFormat;
import dev.millrace.link.LinkRights;
import dev.millrace.link.LinkTokens;
import dev.millrace.link.ProxyLink;
import dev.millrace.stream.ExchangeException;
import dev.millrace.testing.CompatibleToken;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link AccessPolicy} makes of links. */
class LinkAccessTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final Caller HERE = new Caller("203.0.113.7", false);
  private static final Caller THERE = new Caller("203.0.113.8", false);
  private static final Map<String, String> FILM = Map.of("d", "http://cdn.example/v.mp4");

  private long nanos;
  private Instant now = NOW;
  private final AccessPolicy policy = policy("pw", true);

  private AccessPolicy policy(String password, boolean acceptsCompatible) {
    return AccessPolicy.of(
        new ProxyConfig(Optional.of(password), false, "ua", false),
        Optional.of(tokens(LinkFormat.V2, acceptsCompatible)),
        new Clock() {
          @Override
          public ZoneOffset getZone() {
            return ZoneOffset.UTC;
          }

          @Override
          public Clock withZone(java.time.ZoneId zone) {
            return this;
          }

          @Override
          public Instant instant() {
            return now;
          }
        },
        () -> nanos);
  }

  private static LinkTokens tokens(LinkFormat format, boolean acceptsCompatible) {
    return new LinkTokens("pw", List.of("a secret for tests only"), format, acceptsCompatible);
  }

  private static String token(LinkFormat format, Map<String, String> query, LinkRights rights) {
    return tokens(format, true).seal(new ProxyLink(query, rights));
  }

  private static LinkRights until(Instant expiry) {
    return new LinkRights(Optional.of(expiry), Optional.empty(), Optional.empty());
  }

  private static LinkRights boundTo(String address) {
    return new LinkRights(Optional.empty(), Optional.of(address), Optional.empty());
  }

  private static LinkRights forRoute(Endpoint endpoint) {
    return new LinkRights(Optional.empty(), Optional.empty(), Optional.of(endpoint.label()));
  }

  private static Claim claim(String path, String query, Caller caller) throws ExchangeException {
    return new Claim(path, QueryParameters.parse(query), Optional.empty(), caller, "h");
  }

  private Grant inPath(Endpoint endpoint, String token, String query, Caller caller)
      throws ExchangeException {
    return policy.admit(endpoint, policy.receive(claim("/_token_" + token + "/x", query, caller)));
  }

  private void assertRefused(String token, Endpoint endpoint, Caller caller, String word) {
    assertThatThrownBy(() -> inPath(endpoint, token, null, caller))
        .hasMessage("Invalid or expired token")
        .asInstanceOf(type(LinkRefusedException.class))
        .satisfies(
            e -> assertThat(e.status()).isEqualTo(401),
            e -> assertThat(e.logWord()).isEqualTo(word));
  }

  @ParameterizedTest
  @EnumSource(LinkFormat.class)
  void grantsWhatTheLinkAsksFor_andNothingThatStandsBesides(LinkFormat format)
      throws ExchangeException {
    String token = token(format, FILM, LinkRights.UNLIMITED);
    String visible =
        "d=http://evil.example/&h_range=bytes=0-&x_headers=etag&api_password=no&exp=1&ip=1"
            + "&_HLS_msn=7&_HLS_part=2&_HLS_skip=YES&_HLS_other=1&token="
            + token;
    assertThat(inPath(Endpoint.STREAM, token, visible, HERE).query().all())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("d", FILM.get("d"), "_HLS_msn", "7", "_HLS_part", "2", "_HLS_skip", "YES"));
  }

  @Test
  void prefersWhatTheLinkSays() throws ExchangeException {
    String token = token(LinkFormat.V2, Map.of("_HLS_msn", "1"), LinkRights.UNLIMITED);
    assertThat(inPath(Endpoint.STREAM, token, "_HLS_msn=2", HERE).query().all())
        .isEqualTo(Map.of("_HLS_msn", "1"));
  }

  @Test
  void handsRightsOn_toWhateverTheLinkLeadsTo() throws ExchangeException {
    LinkRights rights =
        new LinkRights(Optional.of(NOW), Optional.of("203.0.113.7"), Optional.of("stream"));
    String token = token(LinkFormat.V2, Map.of("exp", "1", "ip", "::1"), rights);
    Grant grant = inPath(Endpoint.STREAM, token, "exp=9999999999", HERE);
    assertThat(grant.rights()).contains(rights);
    assertThat(grant.query().all()).isEqualTo(Map.of("exp", "1", "ip", "::1"));
  }

  @Test
  void readsTheLinkInTheQuery_unlessThereIsOneInThePath() throws ExchangeException {
    String one = token(LinkFormat.V2, Map.of("d", "1"), LinkRights.UNLIMITED);
    String two = token(LinkFormat.V2, Map.of("d", "2"), LinkRights.UNLIMITED);
    Visit visit = policy.receive(claim("/proxy/stream", "d=0&token=" + one, HERE));
    assertThat(visit.route()).isEqualTo("/proxy/stream");
    assertThat(policy.admit(Endpoint.STREAM, visit).query().all()).isEqualTo(Map.of("d", "1"));
    assertThat(inPath(Endpoint.STREAM, two, "token=" + one, HERE).query().all())
        .isEqualTo(Map.of("d", "2"));
    assertThat(inPath(Endpoint.STREAM, two, "token=bad", HERE).query().value("d")).contains("2");
    assertRefused("bad", Endpoint.STREAM, HERE, catchWord("bad"));
  }

  private String catchWord(String token) {
    return ((LinkRefusedException) catchThrowable(() -> inPath(Endpoint.HOME, token, null, THERE)))
        .logWord();
  }

  @ParameterizedTest
  @CsvSource({"0,true", "1,true", "-1,false", "-100000,false"})
  void isGoodToTheEndOfItsLastSecond(long seconds, boolean isGood) {
    now = NOW.plusMillis(999);
    for (LinkFormat format : LinkFormat.values()) {
      String token = token(format, FILM, until(NOW.plusSeconds(seconds)));
      if (isGood) {
        assertThatCode(() -> inPath(Endpoint.STREAM, token, null, HERE)).doesNotThrowAnyException();
      } else {
        assertRefused(token, Endpoint.STREAM, HERE, "expired");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"203.0.113.7", "::ffff:203.0.113.7", "[::ffff:cb00:7107]"})
  void isGoodForItsAddressOnly_howeverItIsWritten(String address) throws ExchangeException {
    for (LinkFormat format : LinkFormat.values()) {
      String token = token(format, FILM, boundTo(address));
      inPath(Endpoint.STREAM, token, null, HERE);
      inPath(Endpoint.STREAM, token, null, new Caller("::ffff:203.0.113.7", true));
      assertRefused(token, Endpoint.STREAM, THERE, "other_address");
      assertRefused(token, Endpoint.STREAM, new Caller("null", false), "other_address");
    }
  }

  @Test
  void isGoodForNobody_whenItsAddressIsNone() {
    String token = token(LinkFormat.COMPATIBLE, FILM, boundTo("somewhere"));
    assertRefused(token, Endpoint.STREAM, HERE, "other_address");
    assertRefused(token, Endpoint.STREAM, new Caller("somewhere", false), "other_address");
  }

  @ParameterizedTest
  @EnumSource(Endpoint.class)
  void opensTheRoutesThatItIsFor_andThoseThatAreOpenAnyway(Endpoint endpoint)
      throws ExchangeException {
    String token = token(LinkFormat.V2, FILM, forRoute(Endpoint.STREAM));
    if (endpoint.isForOperators()) {
      assertThatThrownBy(() -> inPath(endpoint, token, "api_password=pw", HERE))
          .isInstanceOf(ForbiddenException.class);
    } else if (endpoint.needsPassword() && endpoint != Endpoint.STREAM) {
      assertRefused(token, endpoint, HERE, "other_route");
    } else {
      inPath(endpoint, token, null, HERE);
    }
  }

  @Test
  void opensEveryRouteThatWantsThePassword_whenItIsForNone() throws ExchangeException {
    for (LinkFormat format : LinkFormat.values()) {
      String token = token(format, FILM, LinkRights.UNLIMITED);
      inPath(Endpoint.FORWARD, token, null, HERE);
      assertThatThrownBy(() -> inPath(Endpoint.SESSIONS, token, null, HERE))
          .isInstanceOf(ForbiddenException.class);
    }
  }

  @Test
  void hasToContainThePassword_whenAnybodyCanHaveMadeIt() {
    for (String query : new String[] {"", "api_password=pw"}) {
      assertThatThrownBy(() -> inPath(Endpoint.STREAM, compatible(null), query, HERE))
          .isInstanceOf(ForbiddenException.class);
      assertThatThrownBy(() -> inPath(Endpoint.STREAM, compatible("no"), query, HERE))
          .isInstanceOf(ForbiddenException.class);
    }
    assertThatCode(() -> inPath(Endpoint.STREAM, compatible("pw"), null, HERE))
        .doesNotThrowAnyException();
  }

  /** Made by somebody who knows how the key is made. */
  private static String compatible(String password) {
    return CompatibleToken.seal(
        "pw", password == null ? "{\"d\":\"x\"}" : "{\"api_password\":\"" + password + "\"}");
  }

  @Test
  void isNotLookedAt_onceTooManyDidNotOpen() throws ExchangeException {
    String good = token(LinkFormat.COMPATIBLE, FILM, LinkRights.UNLIMITED);
    for (int i = 0; i <= PasswordAttempts.FREE_GUESSES; i++) {
      String guess = CompatibleToken.seal("no" + i, "{}");
      assertThatThrownBy(() -> inPath(Endpoint.HOME, guess, null, HERE))
          .isInstanceOf(LinkRefusedException.class);
    }
    assertThatThrownBy(() -> inPath(Endpoint.STREAM, good, null, HERE))
        .isInstanceOf(TooManyAttemptsException.class);
    assertThatThrownBy(() -> inPath(Endpoint.HOME, good, null, HERE))
        .isInstanceOf(TooManyAttemptsException.class);
    inPath(Endpoint.STREAM, good, null, THERE);
    inPath(Endpoint.STREAM, token(LinkFormat.V2, FILM, LinkRights.UNLIMITED), null, HERE);
    nanos += 1_000_000_000L;
    inPath(Endpoint.STREAM, good, null, HERE);
  }

  /** A television full of last year's links is no reason to keep the household out. */
  @Test
  void holdsNobodyUpWhoNamesThePassword() throws ExchangeException {
    for (int i = 0; i < 2 * PasswordAttempts.FREE_GUESSES; i++) {
      String stale = CompatibleToken.seal("last year's", "{\"d\":\"" + i + "\"}");
      assertThatThrownBy(() -> inPath(Endpoint.STREAM, stale, null, HERE))
          .isInstanceOfAny(LinkRefusedException.class, TooManyAttemptsException.class);
    }

    Claim claim = claim("/proxy/stream", "api_password=pw", HERE);
    assertThat(policy.admit(Endpoint.STREAM, policy.receive(claim))).isNotNull();
  }

  @Test
  void isAGuess_whenAWrongPasswordIsInIt() {
    for (int i = 0; i <= PasswordAttempts.FREE_GUESSES; i++) {
      String guess = "no" + i;
      assertThatThrownBy(() -> inPath(Endpoint.STREAM, compatible(guess), null, HERE))
          .isInstanceOf(ForbiddenException.class);
    }
    assertThatThrownBy(() -> inPath(Endpoint.STREAM, compatible("pw"), null, HERE))
        .isInstanceOf(TooManyAttemptsException.class);
  }

  @Test
  void isNoGuess_whenOnlyThisServerCanHaveMadeIt() throws ExchangeException {
    for (int i = 0; i < 3 * PasswordAttempts.FREE_GUESSES; i++) {
      String forged = "v2.AAAA" + i;
      assertThatThrownBy(() -> inPath(Endpoint.STREAM, forged, null, HERE))
          .isInstanceOf(LinkRefusedException.class);
    }
    inPath(Endpoint.STREAM, token(LinkFormat.COMPATIBLE, FILM, LinkRights.UNLIMITED), null, HERE);
  }

  @Test
  void isNoGuess_whenThatFormatIsNotAccepted() throws ExchangeException {
    AccessPolicy strict = policy("pw", false);
    for (int i = 0; i < 3 * PasswordAttempts.FREE_GUESSES; i++) {
      Claim claim = claim("/_token_" + CompatibleToken.seal("pw", "{\"a\":" + i + "}"), "", HERE);
      assertThatThrownBy(() -> strict.receive(claim)).isInstanceOf(LinkRefusedException.class);
    }
    strict.checkPassword("pw", HERE);
  }

  @Test
  void isNotUnderstood_withoutPassword() throws ExchangeException {
    AccessPolicy open = policy("", true);
    String token = token(LinkFormat.V2, FILM, LinkRights.UNLIMITED);
    Visit visit = open.receive(claim("/_token_" + token + "/proxy/stream", "token=x&d=1", HERE));
    assertThat(visit.route()).isEqualTo("/_token_" + token + "/proxy/stream");
    assertThat(open.admit(Endpoint.STREAM, visit).query().value("d")).contains("1");
  }

  @Test
  void isNone_whenItIsEmptyInTheQuery_butRefusedInThePath() throws ExchangeException {
    assertThat(policy.receive(claim("/x", "token=", HERE)).link()).isEmpty();
    assertThatThrownBy(() -> policy.receive(claim("/_token_/x", "", HERE)))
        .isInstanceOf(LinkRefusedException.class);
  }

  @Test
  void opensNothing_whenTheServerHasNoLinks() throws ExchangeException {
    AccessPolicy bare =
        AccessPolicy.of(
            new ProxyConfig(Optional.of("pw"), false, "ua", false),
            Optional.empty(),
            Clock.systemUTC(),
            () -> nanos);
    assertThatThrownBy(() -> bare.receive(claim("/_token_a/x", "", HERE)))
        .isInstanceOf(LinkRefusedException.class);
  }
}
