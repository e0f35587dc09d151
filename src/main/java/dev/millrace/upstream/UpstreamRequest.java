package dev.millrace.upstream;

import static java.util.Objects.requireNonNull;

/**
 * What is asked of an origin; it has no content (RFC 9110 §9.3.1, §9.3.2).
 *
 * @param method {@code GET} or {@code HEAD}
 * @param target where the request goes
 * @param headers every field to send besides {@code Host} and those of the connection
 */
public record UpstreamRequest(String method, Target target, Headers headers) {
  public UpstreamRequest {
    requireNonNull(method, "method");
    requireNonNull(target, "target");
    requireNonNull(headers, "headers");
  }
}
