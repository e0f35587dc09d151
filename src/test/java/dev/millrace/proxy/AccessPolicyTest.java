package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessPolicyTest {
  private static final Caller ELSEWHERE = new Caller("192.0.2.7", false);

  @ParameterizedTest
  @CsvSource({"pw,pw,", "pw,,pw", "pw,no,pw", "pw,pw,no", "'',,", ",,", ",no,no", "pü,pü,"})
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

  @ParameterizedTest
  @ValueSource(
      strings = {"127.0.0.1", "127.9.9.9", "::1", "[::1]", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1"})
  void showsOperatorsWhatGoesOn_onThisMachine_whenThereIsNoPassword(String peer) {
    assertThatCode(() -> checkOperator(null, null, peer)).doesNotThrowAnyException();
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
    assertThatThrownBy(() -> checkOperator(null, "any", peer))
        .isInstanceOf(ForbiddenException.class);
  }

  @Test
  void showsWhatGoesOnToWhoeverNamesThePassword() throws ForbiddenException {
    checkOperator("pw", "pw", "10.0.0.1");

    assertThatThrownBy(() -> checkOperator("pw", null, "127.0.0.1"))
        .isInstanceOf(ForbiddenException.class);
  }

  private static void checkOperator(String password, String query, String peer)
      throws ForbiddenException {
    AccessPolicy.of(new ProxyConfig(Optional.ofNullable(password), false, "ua", false), () -> 0)
        .checkOperator(Optional.ofNullable(query), Optional.empty(), new Caller(peer, false));
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
    assertThatCode(() -> checkInContainer("", new Caller(address, false)))
        .doesNotThrowAnyException();
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
    assertThatThrownBy(() -> checkInContainer("", new Caller(address, false)))
        .isInstanceOf(ForbiddenException.class)
        .hasMessage("Could not validate credentials");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  void refusesWhatAFrontEndOnThisMachinePassesOn_withoutPassword(String address) {
    assertThatThrownBy(() -> checkInContainer("", new Caller(address, true)))
        .isInstanceOf(ForbiddenException.class);
  }

  @ParameterizedTest
  @CsvSource({"192.0.2.7,false", "127.0.0.1,true"})
  void admitsEverybody_withThePassword(String address, boolean isForwarded) {
    assertThatCode(() -> checkInContainer("pw", new Caller(address, isForwarded)))
        .doesNotThrowAnyException();
  }

  private static void check(String password, String query, String header)
      throws ForbiddenException {
    AccessPolicy.of(new ProxyConfig(Optional.ofNullable(password), false, "ua", false), () -> 0)
        .check(Optional.ofNullable(query), Optional.ofNullable(header), ELSEWHERE);
  }

  private static void checkInContainer(String password, Caller caller) throws ForbiddenException {
    AccessPolicy.of(new ProxyConfig(Optional.of(password), true, "ua", false), () -> 0)
        .check(Optional.of(password), Optional.empty(), caller);
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
  void showsNothingToPagesThatGiveThisMachineAnotherName(String host, boolean isShown) {
    Caller caller = new Caller("127.0.0.1", false).askingFor(host);
    AccessPolicy open =
        AccessPolicy.of(new ProxyConfig(Optional.empty(), false, "ua", false), () -> 0);

    assertThat(
            catchThrowable(() -> open.checkOperator(Optional.empty(), Optional.empty(), caller))
                == null)
        .isEqualTo(isShown);
  }
}
