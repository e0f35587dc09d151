package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PasswordAttemptsTest {
  private static final String HERE = "192.0.2.1";
  private static final long SECOND = 1_000_000_000L;

  private long now = Long.MAX_VALUE - 5 * SECOND; // the clock of nanoseconds may overflow
  private final PasswordAttempts attempts = new PasswordAttempts(() -> now);

  private void guess(String address, long... digests) throws TooManyAttemptsException {
    for (long digest : digests) {
      attempts.wrong(address, List.of(digest));
    }
  }

  private void guessAll(int count) throws TooManyAttemptsException {
    for (int i = 1; i <= count; i++) {
      guess(HERE, i);
    }
  }

  private void assertWaits(long seconds) {
    assertThatThrownBy(() -> attempts.check(HERE))
        .asInstanceOf(type(TooManyAttemptsException.class))
        .satisfies(
            e -> assertThat(e.retryAfter()).contains(Duration.ofSeconds(seconds)),
            e -> assertThat(e.status()).isEqualTo(429));
  }

  private void assertFree() {
    assertThatCode(() -> attempts.check(HERE)).doesNotThrowAnyException();
  }

  @Test
  void costsNothing_upToTheTenthGuess() throws TooManyAttemptsException {
    guessAll(10);
    assertFree();
  }

  @Test
  void costsASecond_fromTheEleventhGuess() throws TooManyAttemptsException {
    guessAll(11);
    assertWaits(1);
    now += SECOND - 1;
    assertWaits(1);
    now++;
    assertFree();
  }

  @ParameterizedTest
  @CsvSource({"12,2", "13,4", "14,8", "15,16", "16,32", "17,60", "18,60", "90,60"})
  void costsTwiceAsMuchEachTime_upToAMinute(int guesses, int seconds)
      throws TooManyAttemptsException {
    for (int i = 1; i <= guesses; i++) {
      guess(HERE, i);
      now += i < guesses ? 60 * SECOND : 0;
    }
    assertWaits(seconds);
    now += seconds * SECOND;
    assertFree();
  }

  @Test
  void takesNoGuess_whileOneHasToWait() throws TooManyAttemptsException {
    guessAll(11);
    assertThatThrownBy(() -> guess(HERE, 12)).isInstanceOf(TooManyAttemptsException.class);
    assertThatThrownBy(() -> attempts.right(HERE)).isInstanceOf(TooManyAttemptsException.class);
    now += SECOND;
    guess(HERE, 12);
    assertWaits(2);
  }

  @Test
  void countsTheSameGuessOnce() throws TooManyAttemptsException {
    for (int i = 0; i < 1000; i++) {
      guess(HERE, 7);
    }
    guess(HERE, 1, 2, 3, 4, 5, 6, 8, 9, 10);
    assertFree();
    guess(HERE, 7, 10, 1);
    assertFree();
  }

  @Test
  void knowsAGuessAsLongAsItIsAmongTheLatestTen() throws TooManyAttemptsException {
    guessAll(10);
    guess(HERE, 1); // the latest now, 2 is the oldest
    guess(HERE, 11);
    now += SECOND;
    guess(HERE, 1);
    assertFree();
    guess(HERE, 2);
    assertWaits(2);
  }

  @Test
  void countsTwoPasswordsOfOneRequestAsTwo() throws TooManyAttemptsException {
    guessAll(9);
    attempts.wrong(HERE, List.of(10L, 11L));
    assertWaits(1);
  }

  @Test
  void forgets_whenThePasswordWasRight() throws TooManyAttemptsException {
    guessAll(10);
    attempts.right(HERE);
    assertThat(attempts.size()).isZero();
    guessAll(10);
    assertFree();
  }

  @Test
  void forgets_aQuarterOfAnHourAfterTheLastNewGuess() throws TooManyAttemptsException {
    guessAll(10);
    now += 15 * 60 * SECOND - 1;
    guess(HERE, 1); // not a new one
    guess(HERE, 11);
    assertWaits(1);
    now += 15 * 60 * SECOND;
    guessAll(10);
    assertFree();
  }

  @Test
  void letsOthersGuess() throws TooManyAttemptsException {
    guessAll(11);
    attempts.check("192.0.2.2");
    guess("192.0.2.2", 1);
  }

  @Test
  void knowsSoManyAddresses_andForgetsTheLongestUnheardOf() throws TooManyAttemptsException {
    guessAll(11);
    for (int i = 1; i < PasswordAttempts.MAX_ADDRESSES; i++) {
      guess("a" + i, 1);
    }
    assertThat(attempts.size()).isEqualTo(4096);
    assertWaits(1); // heard of just now
    guess("one more", 1);
    assertThat(attempts.size()).isEqualTo(4096);
    assertWaits(1);
    for (int i = 1; i <= PasswordAttempts.MAX_ADDRESSES; i++) {
      guess("b" + i, 1);
    }
    assertThat(attempts.size()).isEqualTo(4096);
    assertFree();
  }

  @Test
  void dropsWhatIsForgotten_whenSomebodyElseGuesses() throws TooManyAttemptsException {
    guess("a", 1);
    guess("b", 1);
    now += 15 * 60 * SECOND;
    guess("c", 1);
    assertThat(attempts.size()).isEqualTo(1);
  }
}
