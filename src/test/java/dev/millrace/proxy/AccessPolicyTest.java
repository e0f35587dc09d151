package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessPolicyTest {
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
    AccessPolicy.of(Optional.ofNullable(password))
        .checkOperator(Optional.ofNullable(query), Optional.empty(), peer);
  }

  private static void check(String password, String query, String header)
      throws ForbiddenException {
    AccessPolicy.of(Optional.ofNullable(password))
        .check(Optional.ofNullable(query), Optional.ofNullable(header));
  }
}
