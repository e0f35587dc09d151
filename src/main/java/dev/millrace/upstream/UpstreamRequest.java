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
 * @param manner how it is asked
 */
public record UpstreamRequest(
    String method, Target target, Headers headers, Optional<Content.Source> body, Manner manner) {
  /** How something is asked. */
  public enum Manner {
    /** Media: without a {@code Range} of its own, all of it by {@code bytes=0-}. */
    MEDIA,
    /** A text that is wanted as a whole: no {@code Range} is added. */
    DOCUMENT,
    /**
     * Somebody else's own request: asked once, redirects not followed, and its answer handed back
     * as it comes, coded if it is.
     */
    FORWARDED
  }

  public UpstreamRequest {
    requireNonNull(method, "method");
    requireNonNull(target, "target");
    requireNonNull(headers, "headers");
    requireNonNull(manner, "manner");
    if (body.isPresent() && manner != Manner.FORWARDED) {
      throw new IllegalArgumentException("body: only a forwarded request has one");
    }
  }

  /** A question of ours for media, without content. */
  public UpstreamRequest(String method, Target target, Headers headers) {
    this(method, target, headers, Optional.empty(), Manner.MEDIA);
  }

  /** A question of ours for a text that is wanted as a whole. */
  public static UpstreamRequest document(Target target, Headers headers) {
    return new UpstreamRequest("GET", target, headers, Optional.empty(), Manner.DOCUMENT);
  }

  /** Somebody else's request, passed on. */
  public static UpstreamRequest forwarded(
      String method, Target target, Headers headers, Optional<Content.Source> body) {
    return new UpstreamRequest(method, target, headers, body, Manner.FORWARDED);
  }

  boolean isForwarded() {
    return manner == Manner.FORWARDED;
  }

  UpstreamRequest withHeaders(Headers others) {
    return new UpstreamRequest(method, target, others, body, manner);
  }

  UpstreamRequest withBody(Content.Source other) {
    return new UpstreamRequest(method, target, headers, Optional.of(other), manner);
  }
}
