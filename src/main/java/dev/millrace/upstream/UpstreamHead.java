package dev.millrace.upstream;

import static java.util.Objects.requireNonNull;

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
}
