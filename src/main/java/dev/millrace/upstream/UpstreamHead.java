package dev.millrace.upstream;

import static java.util.Objects.requireNonNull;

import java.util.OptionalLong;

/**
 * Status and fields of an origin's final answer (RFC 9110 §15, §6.3).
 *
 * @param status 200 to 599
 * @param headers as received, those of the connection included
 * @param target where the answer comes from, after redirects
 * @param cookies that it has set, and the redirects before it
 */
public record UpstreamHead(int status, Headers headers, Target target, SetCookies cookies) {
  public UpstreamHead {
    requireNonNull(headers, "headers");
    requireNonNull(target, "target");
    requireNonNull(cookies, "cookies");
  }

  /** Of one answer; cookies are yet to be read from its fields. */
  public UpstreamHead(int status, Headers headers, Target target) {
    this(status, headers, target, SetCookies.NONE);
  }

  UpstreamHead withCookies(SetCookies others) {
    return others.equals(cookies) ? this : new UpstreamHead(status, headers, target, others);
  }

  /** The length of the content as the first {@code Content-Length} says it, if that is a number. */
  public OptionalLong contentLength() {
    return headers
        .first("Content-Length")
        .map(String::strip)
        .filter(digits -> digits.matches("\\d{1,18}"))
        .map(digits -> OptionalLong.of(Long.parseLong(digits)))
        .orElse(OptionalLong.empty());
  }
}
