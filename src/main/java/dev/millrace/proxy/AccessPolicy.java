package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;

/** Whether a caller may use the proxy: by the password, in the query or in a header. */
public final class AccessPolicy {
  private final Optional<byte[]> expected;

  private AccessPolicy(Optional<byte[]> expected) {
    this.expected = expected;
  }

  /**
   * The policy of a server with that password.
   *
   * @param password absent or empty: everybody may
   */
  public static AccessPolicy of(Optional<String> password) {
    return new AccessPolicy(password.filter(p -> !p.isEmpty()).map(AccessPolicy::digest));
  }

  /**
   * One that matches is enough. Both are always compared, in constant time.
   *
   * @param query the parameter {@code api_password}
   * @param header the request header of that name
   * @throws ForbiddenException if neither matches
   */
  public void check(Optional<String> query, Optional<String> header) throws ForbiddenException {
    if (expected.isEmpty()) {
      return;
    }
    boolean byQuery = MessageDigest.isEqual(expected.get(), digest(query.orElse("")));
    boolean byHeader = MessageDigest.isEqual(expected.get(), digest(header.orElse("")));
    if (!(byQuery || byHeader)) {
      throw new ForbiddenException();
    }
  }

  private static byte[] digest(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
