package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  private static void check(String password, String query, String header)
      throws ForbiddenException {
    AccessPolicy.of(Optional.ofNullable(password))
        .check(Optional.ofNullable(query), Optional.ofNullable(header));
  }
}
