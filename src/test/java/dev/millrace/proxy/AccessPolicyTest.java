package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.millrace.stream.ExchangeException;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Without links: {@link LinkAccessTest}. */
class AccessPolicyTest {
  private static final Caller ELSEWHERE = new Caller("192.0.2.7", false);

  private static AccessPolicy policy(String password, boolean loopbackOnly) {
    return AccessPolicy.of(
        new ProxyConfig(Optional.ofNullable(password), loopbackOnly, "ua", false),
        Optional.empty(),
        Clock.systemUTC(),
        () -> 0);
  }

  private static void ask(
      AccessPolicy policy, Endpoint endpoint, String query, String header, Caller caller)
      throws ExchangeException {
    Claim claim =
        new Claim(
            "/",
            QueryParameters.parse(query == null ? null : "api_password=" + query),
            Optional.ofNullable(header),
            caller,
            "127.0.0.1");
    policy.admit(endpoint, policy.receive(claim));
  }

  private static void check(String password, String query, String header) throws ExchangeException {
    ask(policy(password, false), Endpoint.STREAM, query, header, ELSEWHERE);
  }

  @ParameterizedTest
  @CsvSource({
    "pw,pw,",
    "pw,,pw",
    "pw,no,pw",
    "pw,pw,no",
    "'',,",
    ",,",
    ",no,no",
    "pü,p%C3%BC,",
    "pü,,pü",
    "pü,,pÃ¼",
    "日本,,æ\u0097¥æ\u009C¬"
  })
  void admits(String password, String query, String header) {
    assertThatCode(() -> check(password, query, header)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({"pw,,", "pw,'',''", "pw,PW,", "pw,no,no", "pw,'pw,pw',"})
  void refuses(String password, String query, String header) {
    assertThatThrownBy(() -> check(password, query, header))
        .isInstanceOf(ForbiddenException.class)
        .hasMessage("Could not validate credentials");
  }

  @Test
  void takesTheLastPassword_whenThereAreSeveral() {
    assertThatCode(() -> check("pw", "no&api_password=pw", null)).doesNotThrowAnyException();
    assertThatThrownBy(() -> check("pw", "pw&api_password=no", null))
        .isInstanceOf(ForbiddenException.class);
  }

  @Test
  void looksAtNothing_onceTooManyPasswordsWereWrong() throws ExchangeException {
    AccessPolicy policy = policy("pw", false);
    for (int i = 0; i <= PasswordAttempts.FREE_GUESSES; i++) {
      String guess = "no" + i;
      assertThatThrownBy(() -> ask(policy, Endpoint.STREAM, guess, null, ELSEWHERE))
          .isInstanceOf(ForbiddenException.class);
    }
    assertThatThrownBy(() -> ask(policy, Endpoint.STREAM, "pw", null, ELSEWHERE))
        .isInstanceOf(TooManyAttemptsException.class);
    assertThatThrownBy(() -> ask(policy, Endpoint.METRICS, null, "pw", ELSEWHERE))
        .isInstanceOf(TooManyAttemptsException.class);
    assertThatThrownBy(() -> policy.checkPassword("pw", ELSEWHERE))
        .isInstanceOf(TooManyAttemptsException.class);
    assertThatThrownBy(() -> ask(policy, Endpoint.STREAM, null, null, ELSEWHERE))
        .isInstanceOf(ForbiddenException.class);
    ask(policy, Endpoint.HEALTH, "no", null, ELSEWHERE);
    ask(policy, Endpoint.STREAM, "pw", null, new Caller("192.0.2.8", false));
  }

  @Test
  void doesNotCountWhatIsNoGuess() throws ExchangeException {
    AccessPolicy policy = policy("pw", false);
    for (int i = 0; i < 3 * PasswordAttempts.FREE_GUESSES; i++) {
      assertThatThrownBy(() -> ask(policy, Endpoint.STREAM, null, "", ELSEWHERE))
          .isInstanceOf(ForbiddenException.class);
      assertThatThrownBy(() -> ask(policy, Endpoint.STREAM, "", "same old", ELSEWHERE))
          .isInstanceOf(ForbiddenException.class);
      ask(policy, Endpoint.GENERATE_URL, "no" + i, null, ELSEWHERE);
    }
    ask(policy, Endpoint.STREAM, "pw", null, ELSEWHERE);
  }

  @Test
  void countsWhatIsGuessedByWayOfAnOpenRoute() {
    AccessPolicy policy = policy("pw", false);
    for (int i = 0; i <= PasswordAttempts.FREE_GUESSES; i++) {
      String guess = "no" + i;
      assertThatThrownBy(() -> policy.checkPassword(guess, ELSEWHERE))
          .isInstanceOf(ForbiddenException.class);
    }
    assertThatThrownBy(() -> ask(policy, Endpoint.STREAM, "pw", null, ELSEWHERE))
        .isInstanceOf(TooManyAttemptsException.class);
  }

  @Test
  void looksAtNoMore_howeverManyGuessAtTheSameTime() throws InterruptedException {
    AccessPolicy policy = policy("pw", false);
    AtomicInteger looked = new AtomicInteger();
    ExecutorService guessers = Executors.newFixedThreadPool(16);
    for (int i = 0; i < 2_000; i++) {
      String guess = "no" + i;
      guessers.execute(
          () -> {
            if (catchThrowable(() -> policy.checkPassword(guess, ELSEWHERE))
                instanceof ForbiddenException) {
              looked.incrementAndGet();
            }
          });
    }
    guessers.shutdown();
    assertThat(guessers.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    assertThat(looked).hasValue(PasswordAttempts.FREE_GUESSES + 1);
  }

  @Test
  void neverShowsThePassword() throws ExchangeException {
    Claim claim =
        new Claim(
            "/_token_hush/x",
            QueryParameters.parse("api_password=hush&token=hush"),
            Optional.of("hush"),
            ELSEWHERE,
            "h");
    assertThat(claim.toString()).doesNotContain("hush");
    assertThat(new Visit(claim, "/hush", Optional.empty()).toString()).doesNotContain("hush");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"127.0.0.1", "127.9.9.9", "::1", "[::1]", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1"})
  void showsOperatorsWhatGoesOn_onThisMachine_whenThereIsNoPassword(String peer) {
    assertThatCode(() -> operate(null, null, peer)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.1",
        "::",
        "0.0.0.0",
        "fe80::1",
        "localhost",
        "",
        "null",
        "127.0.0.1.example"
      })
  void showsNobodyElseWhatGoesOn_whenThereIsNoPassword(String peer) {
    assertThatThrownBy(() -> operate(null, "any", peer)).isInstanceOf(ForbiddenException.class);
  }

  @Test
  void showsWhatGoesOnToWhoeverNamesThePassword() throws ExchangeException {
    operate("pw", "pw", "10.0.0.1");

    assertThatThrownBy(() -> operate("pw", null, "127.0.0.1"))
        .isInstanceOf(ForbiddenException.class);
  }

  private static void operate(String password, String query, String peer) throws ExchangeException {
    ask(policy(password, false), Endpoint.METRICS, query, null, new Caller(peer, false));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.8.9.10",
        "::1",
        "0:0:0:0:0:0:0:1",
        "::ffff:127.0.0.1",
        "::FFFF:127.0.0.1"
      })
  void admitsCallerOnThisMachine_withoutPassword(String address) {
    assertThatCode(() -> askContainer("", new Caller(address, false))).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "192.0.2.7",
        "10.0.0.1",
        "::2",
        "2001:db8::1",
        "::ffff:192.0.2.7",
        "127.evil.test",
        "",
        "localhost"
      })
  void refusesCallerFromElsewhere_withoutPassword(String address) {
    assertThatThrownBy(() -> askContainer("", new Caller(address, false)))
        .isInstanceOf(ForbiddenException.class)
        .hasMessage("Could not validate credentials");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  void refusesWhatAFrontEndOnThisMachinePassesOn_withoutPassword(String address) {
    assertThatThrownBy(() -> askContainer("", new Caller(address, true)))
        .isInstanceOf(ForbiddenException.class);
  }

  @ParameterizedTest
  @CsvSource({"192.0.2.7,false", "127.0.0.1,true"})
  void admitsEverybody_withThePassword(String address, boolean isForwarded) {
    assertThatCode(() -> askContainer("pw", new Caller(address, isForwarded)))
        .doesNotThrowAnyException();
  }

  private static void askContainer(String password, Caller caller) throws ExchangeException {
    ask(policy(password, true), Endpoint.STREAM, password, null, caller);
  }

  @ParameterizedTest
  @CsvSource({
    "localhost,true",
    "LOCALHOST,true",
    "127.0.0.1,true",
    "[::1],true",
    "evil.example,false",
    "localhost.evil.example,false",
    "192.0.2.7,false"
  })
  void showsNothingToPagesThatGiveThisMachineAnotherName(String host, boolean isShown)
      throws ExchangeException {
    Caller caller = new Caller("127.0.0.1", false);
    AccessPolicy open = policy(null, false);
    Claim claim = new Claim("/", QueryParameters.parse(null), Optional.empty(), caller, host);
    Visit visit = open.receive(claim);

    assertThat(catchThrowable(() -> open.admit(Endpoint.METRICS, visit)) == null)
        .isEqualTo(isShown);
  }
}
