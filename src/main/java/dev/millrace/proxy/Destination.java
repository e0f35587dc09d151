package dev.millrace.proxy;

import dev.millrace.upstream.BadTargetException;
import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code d} and {@code fallback} name: an address, plain or in base64 (either alphabet,
 * padding optional), with the one damage repaired that clients are known to do ({@code
 * https%22//}). Nothing else in it is touched: signed addresses must arrive byte for byte.
 */
public final class Destination {
  private static final String FALLBACK = "fallback";
  private static final String LONG_NAME = "destination";
  private static final int MAX_LENGTH = 16 << 10;

  private static final Pattern DAMAGED =
      Pattern.compile("^(https?)(?:%22|%3A%22|:\")//", Pattern.CASE_INSENSITIVE);

  private Destination() {}

  /**
   * @throws ValidationException if {@code d} is missing or empty
   * @throws BadParameterException if it is no address that can be fetched
   */
  static Target of(QueryParameters query) throws ValidationException, BadParameterException {
    String given = query.value("d").orElse("");
    if (given.isEmpty()) {
      throw ValidationException.missing("d");
    }
    return target("d", given);
  }

  /**
   * The same on HLS routes, where {@code destination} does if there is no {@code d}.
   *
   * @throws ValidationException if both are missing or empty
   * @throws BadParameterException if it is no address that can be fetched
   */
  static Target ofHls(QueryParameters query) throws ValidationException, BadParameterException {
    String other = query.value(LONG_NAME).orElse("");
    return query.value("d").orElse("").isEmpty() && !other.isEmpty()
        ? target(LONG_NAME, other)
        : of(query);
  }

  /**
   * The same where {@code d} need not be there.
   *
   * @throws BadParameterException if it is no address that can be fetched
   */
  public static Optional<Target> optional(QueryParameters query) throws BadParameterException {
    String given = query.value("d").orElse("");
    return given.isEmpty() ? Optional.empty() : Optional.of(target("d", given));
  }

  /**
   * The further sources, in order; empty values name none.
   *
   * @throws BadParameterException if there are more than {@value FetchRequest#MAX_FALLBACKS}, or
   *     one is no address that can be fetched
   */
  static List<Target> fallbacksOf(QueryParameters query) throws BadParameterException {
    List<Target> fallbacks = new ArrayList<>();
    for (String given : query.values(FALLBACK)) {
      if (!given.isEmpty()) {
        fallbacks.add(target(FALLBACK, given));
      }
    }
    if (fallbacks.size() > FetchRequest.MAX_FALLBACKS) {
      throw new BadParameterException(
          FALLBACK, "too many (expected: at most " + FetchRequest.MAX_FALLBACKS + ")");
    }
    return fallbacks;
  }

  static Target target(String parameter, String given) throws BadParameterException {
    if (given.length() > MAX_LENGTH) {
      throw new BadParameterException(
          parameter, "too long (expected: at most " + MAX_LENGTH + " characters)");
    }
    try {
      return Target.parse(repaired(Base64Address.decode(given).orElse(given)));
    } catch (BadTargetException e) {
      throw new BadParameterException(parameter, String.valueOf(e.getMessage()), e);
    }
  }

  static String repaired(String url) {
    Matcher damaged = DAMAGED.matcher(url);
    return damaged.find() ? damaged.group(1) + "://" + url.substring(damaged.end()) : url;
  }
}
