package dev.millrace.proxy;

import dev.millrace.link.LinkRights;
import dev.millrace.link.LinkTokenException;
import dev.millrace.link.LinkTokens;
import dev.millrace.link.LinkTokens.OpenedLink;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a token may be used now, from there.
 *
 * <p>Our own tokens are authentic and give nothing to guess. One of the older format that does not
 * open is a guess of the password: it is the key.
 */
final class LinkCheck {
  private static final String OWN = "v2.";

  /** What is wrong with a token under any password: finding that out says nothing of ours. */
  private static final Set<String> NO_GUESS =
      Set.of("format_refused", "too_long", "not_base64", "wrong_length");

  private final LinkTokens tokens;
  private final Password password;
  private final Clock clock;

  LinkCheck(LinkTokens tokens, Password password, Clock clock) {
    this.tokens = tokens;
    this.password = password;
    this.clock = clock;
  }

  /**
   * What is in a token.
   *
   * @throws LinkRefusedException if it does not open, has expired, or is somebody else's
   * @throws TooManyAttemptsException if it could be a guess, and this address has to wait
   */
  OpenedLink open(String token, Caller caller)
      throws LinkRefusedException, TooManyAttemptsException {
    OpenedLink opened = token.startsWith(OWN) ? openOwn(token) : openOther(token, caller);
    LinkRights rights = opened.link().rights();
    checkExpiry(rights);
    checkAddress(rights, caller);
    return opened;
  }

  private OpenedLink openOwn(String token) throws LinkRefusedException {
    try {
      return tokens.open(token);
    } catch (LinkTokenException e) {
      throw new LinkRefusedException(e.reason());
    }
  }

  private OpenedLink openOther(String token, Caller caller)
      throws LinkRefusedException, TooManyAttemptsException {
    password.checkMayTry(caller);
    try {
      OpenedLink opened = tokens.open(token);
      password.checkMayTry(caller); // others may have guessed meanwhile
      return opened;
    } catch (LinkTokenException e) {
      if (!NO_GUESS.contains(e.reason())) {
        password.didNotOpen(token, caller);
      }
      throw new LinkRefusedException(e.reason());
    }
  }

  /** It is good until the end of its last second. */
  private void checkExpiry(LinkRights rights) throws LinkRefusedException {
    var now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    if (rights.expiry().filter(expiry -> expiry.isBefore(now)).isPresent()) {
      throw new LinkRefusedException("expired");
    }
  }

  private static void checkAddress(LinkRights rights, Caller caller) throws LinkRefusedException {
    if (rights.clientAddress().isEmpty()) {
      return;
    }
    Optional<ClientAddress> owner = rights.clientAddress().flatMap(ClientAddress::parse);
    if (owner.isEmpty() || !owner.equals(ClientAddress.parse(caller.address()))) {
      throw new LinkRefusedException("other_address");
    }
  }
}
