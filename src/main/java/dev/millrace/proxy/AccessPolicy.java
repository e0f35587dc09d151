package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.link.LinkTokens;
import dev.millrace.link.LinkTokens.OpenedLink;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a request is let in, and what for: by the password, in the query or in a header, or by a
 * link. Where there is no password, links are not understood, and everybody may who can connect, or
 * in a container whose address is not ours to choose, only callers on this machine.
 */
public final class AccessPolicy {
  private static final Logger LOG = LoggerFactory.getLogger(AccessPolicy.class);
  private static final Duration HINT_EVERY = Duration.ofMinutes(1);
  private static final String TOKEN = "token";

  private final Optional<Password> password;
  private final Optional<LinkCheck> links;
  private final boolean loopbackOnly;
  private final RareWarning hint;

  private AccessPolicy(
      Optional<Password> password,
      Optional<LinkCheck> links,
      boolean loopbackOnly,
      LongSupplier nanoTime) {
    this.password = password;
    this.links = links;
    this.loopbackOnly = loopbackOnly;
    this.hint = new RareWarning(nanoTime, HINT_EVERY);
  }

  /**
   * The policy of a server with those settings.
   *
   * @param tokens which open; none does without a password
   * @param clock for the expiry of links
   * @param nanoTime like {@link System#nanoTime()}
   */
  public static AccessPolicy of(
      ProxyConfig config, Optional<LinkTokens> tokens, Clock clock, LongSupplier nanoTime) {
    Optional<Password> password =
        config
            .apiPassword()
            .filter(text -> !text.isEmpty())
            .map(
                text ->
                    Password.of(
                        text, new PasswordAttempts(nanoTime), new PasswordAttempts(nanoTime)));
    return new AccessPolicy(
        password,
        password.flatMap(p -> tokens.map(t -> new LinkCheck(t, p, clock))),
        config.loopbackOnly(),
        nanoTime);
  }

  /** Whether there is a password at all. */
  public boolean hasPassword() {
    return password.isPresent();
  }

  /**
   * The first question to a request, before its route is looked for: opens its link. One in the
   * path goes before one in the query.
   *
   * @throws LinkRefusedException if it has one that opens nothing, now and from there
   * @throws TooManyAttemptsException if it may be a guess, and its address has to wait
   */
  public Visit receive(Claim claim) throws LinkRefusedException, TooManyAttemptsException {
    if (password.isEmpty()) {
      return new Visit(claim, claim.path(), Optional.empty());
    }
    Optional<TokenPath> inPath = TokenPath.of(claim.path());
    if (inPath.isPresent()) {
      return visit(claim, inPath.get().route(), inPath.get().token());
    }
    Optional<String> inQuery = claim.query().value(TOKEN).filter(token -> !token.isEmpty());
    return inQuery.isPresent()
        ? visit(claim, claim.path(), inQuery.get())
        : new Visit(claim, claim.path(), Optional.empty());
  }

  private Visit visit(Claim claim, String route, String token)
      throws LinkRefusedException, TooManyAttemptsException {
    if (links.isEmpty()) {
      throw new LinkRefusedException("no_links");
    }
    OpenedLink opened = links.get().open(token, claim.caller());
    return new Visit(claim, route, Optional.of(opened));
  }

  /**
   * The second question, once its route is known.
   *
   * @throws ForbiddenException if no password matches, or without one, if the caller is not on this
   *     machine and has to be
   * @throws LinkRefusedException if its link is for another route
   * @throws TooManyAttemptsException if it names a password, and its address has to wait
   */
  public Grant admit(Endpoint endpoint, Visit visit)
      throws ForbiddenException, LinkRefusedException, TooManyAttemptsException {
    if (endpoint.isForOperators()) {
      checkOperator(visit);
    } else if (endpoint.needsPassword() && visit.link().isPresent()) {
      checkLink(endpoint, visit.link().get(), visit.claim().caller());
    } else if (endpoint.needsPassword()) {
      check(given(visit.claim()), visit.claim().caller());
    }
    return visit.grant();
  }

  /**
   * For what only the password opens, and nothing else.
   *
   * @throws ForbiddenException if it is not the password
   * @throws TooManyAttemptsException if its address has to wait
   */
  public void checkPassword(String given, Caller caller)
      throws ForbiddenException, TooManyAttemptsException {
    check(List.of(given), caller);
  }

  /** Whoever made one of the older format has to have known the password. */
  private void checkLink(Endpoint endpoint, OpenedLink opened, Caller caller)
      throws ForbiddenException, LinkRefusedException, TooManyAttemptsException {
    if (!opened.link().rights().routeFamily().orElse(endpoint.label()).equals(endpoint.label())) {
      throw new LinkRefusedException("other_route");
    }
    if (!opened.isAuthentic()) {
      checkPassword(opened.link().parameters().getOrDefault(Claim.PASSWORD, ""), caller);
    }
  }

  /**
   * How the server is doing sees whoever names the password, on this machine too: behind a front
   * end that runs here, every caller seems to be local. Without one it is whoever calls from this
   * machine. No link leads there.
   */
  private void checkOperator(Visit visit) throws ForbiddenException, TooManyAttemptsException {
    Claim claim = visit.claim();
    Caller caller = claim.caller();
    boolean isElsewhere = password.isEmpty() && !caller.askingFor(claim.host()).isOnThisMachine();
    if (isElsewhere || visit.link().isPresent()) {
      throw new ForbiddenException();
    }
    check(given(claim), caller);
  }

  private static List<String> given(Claim claim) {
    return Stream.of(
            claim.query().value(Claim.PASSWORD),
            claim.passwordField(),
            claim.passwordField().map(AccessPolicy::inUtf8))
        .flatMap(Optional::stream)
        .distinct()
        .toList();
  }

  /** Containers read fields as ISO 8859-1 (RFC 9110 §5.5); what clients send is mostly UTF-8. */
  private static String inUtf8(String field) {
    return new String(field.getBytes(ISO_8859_1), UTF_8);
  }

  private void check(List<String> given, Caller caller)
      throws ForbiddenException, TooManyAttemptsException {
    if (password.isPresent()) {
      password.get().check(given, caller);
    } else if (loopbackOnly && !caller.isOnThisMachine()) {
      hint();
      throw new ForbiddenException();
    }
  }

  private void hint() {
    if (hint.isDue()) {
      LOG.warn(
          "A client that is not on this machine was refused: without API_PASSWORD only loopback"
              + " clients are served, and none that come through a front end");
    }
  }
}
