package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.regex.Pattern;

/** Whether a caller may use the proxy: by the password, in the query or in a header. */
public final class AccessPolicy {
  /** An IPv4 or IPv6 address, the latter perhaps in brackets: nothing that would be looked up. */
  private static final Pattern ADDRESS =
      Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|\\[?[0-9a-fA-F]*:[0-9a-fA-F:.]*\\]?");

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

  /**
   * Whether a caller may see how the server is doing. With a password that is whoever names it, on
   * this machine too: behind a front end that runs here, every caller seems to be local. Without
   * one it is whoever calls from this machine.
   *
   * @param peer address of the socket's other end, as text
   * @throws ForbiddenException if not
   */
  public void checkOperator(Optional<String> query, Optional<String> header, String peer)
      throws ForbiddenException {
    if (expected.isEmpty() && !isLoopback(peer)) {
      throw new ForbiddenException();
    }
    check(query, header);
  }

  private static boolean isLoopback(String address) {
    try {
      return ADDRESS.matcher(address).matches()
          && InetAddress.getByName(address).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
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
