package dev.millrace.servlet;

import dev.millrace.link.LinkBuilder;
import dev.millrace.link.LinkTokens;
import dev.millrace.proxy.AccessPolicy;
import dev.millrace.proxy.Caller;
import dev.millrace.proxy.ValidationException;
import dev.millrace.servlet.LinkForm.Wanted;
import dev.millrace.stream.ExchangeException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes the links that clients ask for. Anybody may ask, but only who names the password of this
 * server gets one that is sealed: a sealed link opens the proxy.
 */
public final class LinkMaker {
  private final AccessPolicy access;
  private final Optional<LinkTokens> tokens;
  private final Clock clock;

  /**
   * @param tokens of this server; absent if it has no password
   */
  public LinkMaker(AccessPolicy access, Optional<LinkTokens> tokens, Clock clock) {
    this.access = access;
    this.tokens = tokens;
    this.clock = clock;
  }

  /**
   * The links of a form, in its order: sealed if it names a password, else readable.
   *
   * @throws ExchangeException 403 if it is not this server's; 422 if a link cannot be made
   */
  List<String> make(LinkForm form, Caller caller) throws ExchangeException {
    if (form.password().isEmpty()) {
      return form.links().stream().map(wanted -> LinkBuilder.plain(wanted.request())).toList();
    }
    if (!access.hasPassword()) {
      return withoutSeal(form);
    }
    access.checkPassword(form.password().get(), caller);
    LinkTokens seal = tokens.orElseThrow(() -> new IllegalStateException("no secret for links"));
    Instant now = clock.instant();
    List<String> links = new ArrayList<>();
    for (Wanted wanted : form.links()) {
      links.add(sealed(wanted, seal, now));
    }
    return links;
  }

  /** A server that asks for no password needs no seal; but nothing else can hold a link back. */
  private static List<String> withoutSeal(LinkForm form) throws ValidationException {
    for (Wanted wanted : form.links()) {
      if (wanted.request().lifetime().isPresent() || wanted.request().clientAddress().isPresent()) {
        throw ValidationException.inBody(
            "value_error",
            List.of("body", wanted.request().lifetime().isPresent() ? "expiration" : "ip"),
            "only a server with API_PASSWORD makes links that expire or are bound to an address");
      }
    }
    return form.links().stream().map(wanted -> LinkBuilder.plain(wanted.request())).toList();
  }

  private static String sealed(Wanted wanted, LinkTokens tokens, Instant now)
      throws ValidationException {
    try {
      return LinkBuilder.sealed(wanted.request(), tokens, now, wanted.routeFamily());
    } catch (IllegalArgumentException e) { // says which limit, and nothing of the link
      throw ValidationException.inBody(
          "value_error", wanted.place(), "the link is too long: " + e.getMessage());
    }
  }
}
