package dev.millrace.upstream;

import static java.util.Objects.requireNonNull;

import java.util.OptionalLong;

/**
 * Status and fields of an origin's final answer (RFC 9110 §15, §6.3).
 *
 * @param status 200 to 599
 * @param headers as received, those of the connection included
 * @param target where the answer comes from, after redirects
 */
public record UpstreamHead(int status, Headers headers, Target target) {
  public UpstreamHead {
    requireNonNull(headers, "headers");
    requireNonNull(target, "target");
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
