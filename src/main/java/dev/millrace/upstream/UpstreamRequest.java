package dev.millrace.upstream;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import org.eclipse.jetty.io.Content;

/**
 * What is asked of an origin.
 *
 * @param method {@code GET} or {@code HEAD}; any, if it is forwarded
 * @param target where the request goes
 * @param headers every field to send besides {@code Host}, {@code Content-Length} and those of the
 *     connection
 * @param body its content (RFC 9110 §6.4), which can be read once; sent chunked if its length is
 *     not known
 * @param isForwarded whether it is somebody else's own request: asked once, redirects not followed,
 *     and its answer handed back as it comes, coded if it is
 */
public record UpstreamRequest(
    String method,
    Target target,
    Headers headers,
    Optional<Content.Source> body,
    boolean isForwarded) {
  public UpstreamRequest {
    requireNonNull(method, "method");
    requireNonNull(target, "target");
    requireNonNull(headers, "headers");
    if (body.isPresent() && !isForwarded) {
      throw new IllegalArgumentException("body: only a forwarded request has one");
    }
  }

  /** A question of ours, without content. */
  public UpstreamRequest(String method, Target target, Headers headers) {
    this(method, target, headers, Optional.empty(), false);
  }

  /** Somebody else's request, passed on. */
  public static UpstreamRequest forwarded(
      String method, Target target, Headers headers, Optional<Content.Source> body) {
    return new UpstreamRequest(method, target, headers, body, true);
  }

  UpstreamRequest withHeaders(Headers others) {
    return new UpstreamRequest(method, target, others, body, isForwarded);
  }

  UpstreamRequest withBody(Content.Source other) {
    return new UpstreamRequest(method, target, headers, Optional.of(other), isForwarded);
  }
}
