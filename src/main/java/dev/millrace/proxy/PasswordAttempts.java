package dev.millrace.proxy;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who has guessed passwords, and has to wait before the next one is looked at.
 *
 * <p>An address, or an IPv6 subnet of 64 bits, has {@value #FREE_GUESSES} different wrong guesses
 * for nothing. Each further one costs a wait of 1, 2, 4 … at most {@value #LONGEST_WAIT_SECONDS}
 * seconds, during which nothing that could be a password is looked at, the right one included:
 * otherwise the answer would tell. The same wrong one again is no new guess: a forgotten device
 * that keeps asking with an old password must not lock a household out.
 *
 * <p>It ends with the right password, or {@value #MEMORY_MINUTES} minutes after the last new guess.
 * Known are at most {@value #MAX_ADDRESSES} addresses, the longest unheard of go first. Any thread;
 * the lock is held for one look-up.
 */
final class PasswordAttempts {
  static final int FREE_GUESSES = 10;
  static final int LONGEST_WAIT_SECONDS = 60;
  static final int MEMORY_MINUTES = 15;
  static final int MAX_ADDRESSES = 4096;

  private static final Logger LOG = LoggerFactory.getLogger(PasswordAttempts.class);
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final long MEMORY_NANOS = MEMORY_MINUTES * 60 * NANOS_PER_SECOND;

  /** What is known of one address. */
  private static final class Guesser {
    /** The latest, oldest first. */
    final Set<Long> guesses = new LinkedHashSet<>();

    int count;
    long lastGuessNanos;
    long waitNanos;

    long remainingNanos(long now) {
      return lastGuessNanos + waitNanos - now;
    }

    boolean isForgotten(long now) {
      return now - lastGuessNanos >= MEMORY_NANOS;
    }

    void guess(long digest, long now) {
      boolean isKnown = guesses.remove(digest);
      guesses.add(digest);
      if (isKnown) {
        return;
      }
      if (guesses.size() > FREE_GUESSES) {
        Iterator<Long> oldest = guesses.iterator();
        oldest.next();
        oldest.remove();
      }
      count++;
      lastGuessNanos = now;
      waitNanos = waitSeconds(count) * NANOS_PER_SECOND;
    }

    private static long waitSeconds(int count) {
      int beyond = count - FREE_GUESSES;
      return beyond <= 0 ? 0 : Math.min(LONGEST_WAIT_SECONDS, 1L << Math.min(beyond - 1, 30));
    }
  }

  private final LongSupplier nanoTime;
  private final Map<String, Guesser> guessers = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param nanoTime like {@link System#nanoTime()}
   */
  PasswordAttempts(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * To be asked before anything is compared.
   *
   * @throws TooManyAttemptsException if this address has to wait
   */
  synchronized void check(String address) throws TooManyAttemptsException {
    Guesser guesser = find(address, nanoTime.getAsLong());
    if (guesser != null) {
      checkWait(guesser, nanoTime.getAsLong());
    }
  }

  /**
   * It was the password.
   *
   * @throws TooManyAttemptsException if others guessed at the same time, and nobody may know
   */
  synchronized void right(String address) throws TooManyAttemptsException {
    check(address);
    guessers.remove(address);
  }

  /**
   * It was not.
   *
   * @param digests by which guesses are told apart
   * @throws TooManyAttemptsException if others guessed at the same time: this one does not count
   */
  synchronized void wrong(String address, List<Long> digests) throws TooManyAttemptsException {
    check(address);
    long now = nanoTime.getAsLong();
    Guesser guesser = guessers.computeIfAbsent(address, unknown -> new Guesser());
    boolean wasFree = guesser.count <= FREE_GUESSES;
    digests.forEach(digest -> guesser.guess(digest, now));
    if (wasFree && guesser.count > FREE_GUESSES) {
      LOG.warn(
          "More than {} different passwords were guessed from {}: it has to wait between guesses",
          FREE_GUESSES,
          address);
    }
    forgetEldest(now);
  }

  /** How many addresses are known. */
  synchronized int size() {
    return guessers.size();
  }

  private @Nullable Guesser find(String address, long now) {
    Guesser guesser = guessers.get(address);
    if (guesser != null && guesser.isForgotten(now)) {
      guessers.remove(address);
      return null;
    }
    return guesser;
  }

  private static void checkWait(Guesser guesser, long now) throws TooManyAttemptsException {
    long remaining = guesser.remainingNanos(now);
    if (remaining > 0) {
      throw new TooManyAttemptsException((remaining + NANOS_PER_SECOND - 1) / NANOS_PER_SECOND);
    }
  }

  private void forgetEldest(long now) {
    Iterator<Guesser> eldest = guessers.values().iterator();
    while (eldest.hasNext()) {
      boolean isForgotten = eldest.next().isForgotten(now);
      if (guessers.size() <= MAX_ADDRESSES && !isForgotten) {
        return;
      }
      eldest.remove();
    }
  }
}
