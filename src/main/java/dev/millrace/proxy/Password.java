package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether a text is the password: compared in constant time, and only digests are, whose key is of
 * this run. The password itself is not kept. Any thread.
 */
final class Password {
  private static final int KEY_BYTES = 32;

  private final byte[] key;
  private final byte[] expected;
  private final PasswordAttempts attempts;
  private final PasswordAttempts linkAttempts;

  private Password(
      byte[] key, byte[] expected, PasswordAttempts attempts, PasswordAttempts linkAttempts) {
    this.key = key;
    this.expected = expected;
    this.attempts = attempts;
    this.linkAttempts = linkAttempts;
  }

  /**
   * @param password not empty
   * @param attempts at naming it
   * @param linkAttempts at opening links with it: counted apart, because whoever has many old links
   *     of a former password guesses nothing, and must not keep others of the same address out
   */
  static Password of(String password, PasswordAttempts attempts, PasswordAttempts linkAttempts) {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    return new Password(key, digest(key, password), attempts, linkAttempts);
  }

  /**
   * One that matches is enough. All are compared.
   *
   * @param given empty ones are none
   * @throws ForbiddenException if none matches
   * @throws TooManyAttemptsException if nothing from this address is looked at now
   */
  void check(List<String> given, Caller caller)
      throws ForbiddenException, TooManyAttemptsException {
    String address = guesser(caller);
    if (given.stream().allMatch(String::isEmpty)) {
      throw new ForbiddenException();
    }
    attempts.check(address);
    boolean isRight = false;
    List<Long> wrong = new ArrayList<>(given.size());
    for (String text : given) {
      byte[] digest = digest(key, text);
      isRight |= MessageDigest.isEqual(expected, digest);
      if (!text.isEmpty()) {
        wrong.add(ByteBuffer.wrap(digest).getLong());
      }
    }
    if (isRight) {
      attempts.right(address);
    } else {
      attempts.wrong(address, wrong);
      throw new ForbiddenException();
    }
  }

  /**
   * To be asked before a link is opened that may be a guess.
   *
   * @throws TooManyAttemptsException if no such link from this address is looked at now
   */
  void checkMayTry(Caller caller) throws TooManyAttemptsException {
    linkAttempts.check(guesser(caller));
  }

  /**
   * It did not open: as good as a wrong password.
   *
   * @throws TooManyAttemptsException if no such link from this address is looked at by now
   */
  void didNotOpen(String text, Caller caller) throws TooManyAttemptsException {
    linkAttempts.wrong(guesser(caller), List.of(ByteBuffer.wrap(digest(key, text)).getLong()));
  }

  /** Addresses that cannot be read count as one. */
  private static String guesser(Caller caller) {
    return ClientAddress.parse(caller.address()).map(ClientAddress::subscriber).orElse("unknown");
  }

  private static byte[] digest(byte[] key, String text) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      sha256.update(key);
      return sha256.digest(text.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
