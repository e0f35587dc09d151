package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a caller may use the proxy: by the password, in the query or in a header. Where there is
 * none, everybody may who can connect, or in a container whose address is not ours to choose, only
 * callers on this machine.
 */
public final class AccessPolicy {
  private static final Logger LOG = LoggerFactory.getLogger(AccessPolicy.class);
  private static final long HINT_EVERY_NANOS = 60_000_000_000L;

  private final Optional<byte[]> expected;
  private final boolean loopbackOnly;
  private final LongSupplier nanoTime;
  private final AtomicLong nextHintNanos;

  private AccessPolicy(Optional<byte[]> expected, boolean loopbackOnly, LongSupplier nanoTime) {
    this.expected = expected;
    this.loopbackOnly = loopbackOnly;
    this.nanoTime = nanoTime;
    this.nextHintNanos = new AtomicLong(nanoTime.getAsLong());
  }

  /**
   * The policy of a server with those settings.
   *
   * @param nanoTime like {@link System#nanoTime()}
   */
  public static AccessPolicy of(ProxyConfig config, LongSupplier nanoTime) {
    return new AccessPolicy(
        config.apiPassword().filter(p -> !p.isEmpty()).map(AccessPolicy::digest),
        config.loopbackOnly(),
        nanoTime);
  }

  /**
   * One password that matches is enough. Both are always compared, in constant time.
   *
   * @param query the parameter {@code api_password}
   * @param header the request header of that name
   * @throws ForbiddenException if neither matches, or without a password to match, if the caller is
   *     on this machine and has to be
   */
  public void check(Optional<String> query, Optional<String> header, Caller caller)
      throws ForbiddenException {
    if (expected.isEmpty()) {
      checkOpen(caller);
      return;
    }
    boolean byQuery = MessageDigest.isEqual(expected.get(), digest(query.orElse("")));
    boolean byHeader = MessageDigest.isEqual(expected.get(), digest(header.orElse("")));
    if (!(byQuery || byHeader)) {
      throw new ForbiddenException();
    }
  }

  /** Whether there is a password at all. */
  public boolean hasPassword() {
    return expected.isPresent();
  }

  /**
   * For what only the password opens, and nothing else.
   *
   * @throws ForbiddenException if it is not the password
   */
  public void checkPassword(String given, Caller caller) throws ForbiddenException {
    check(Optional.of(given), Optional.empty(), caller);
  }

  /**
   * Whether a caller may see how the server is doing. With a password that is whoever names it, on
   * this machine too: behind a front end that runs here, every caller seems to be local. Without
   * one it is whoever calls from this machine.
   *
   * @throws ForbiddenException if not
   */
  public void checkOperator(Optional<String> query, Optional<String> header, Caller caller)
      throws ForbiddenException {
    if (expected.isEmpty() && !caller.isOnThisMachine()) {
      throw new ForbiddenException();
    }
    check(query, header, caller);
  }

  private void checkOpen(Caller caller) throws ForbiddenException {
    if (loopbackOnly && !caller.isOnThisMachine()) {
      hint();
      throw new ForbiddenException();
    }
  }

  /** At most once a minute: whoever is refused decides how often that happens. */
  private void hint() {
    long now = nanoTime.getAsLong();
    long next = nextHintNanos.get();
    if (now - next >= 0 && nextHintNanos.compareAndSet(next, now + HINT_EVERY_NANOS)) {
      LOG.warn(
          "A client that is not on this machine was refused: without API_PASSWORD only loopback"
              + " clients are served, and none that come through a front end");
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
