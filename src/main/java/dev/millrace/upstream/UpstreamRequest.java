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
    /**
     * The same for a part of a segment (RFC 8216bis §4.4.4.9), which may be asked for before there
     * is one (§4.4.5.3).
     */
    PART,
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

  /** A question of ours for a part of a segment. */
  public static UpstreamRequest part(String method, Target target, Headers headers) {
    return new UpstreamRequest(method, target, headers, Optional.empty(), Manner.PART);
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

  /** Whether an origin may wait with its answer until there is something new. */
  boolean mayBeKeptBack() {
    return manner == Manner.DOCUMENT || manner == Manner.PART;
  }

  UpstreamRequest withHeaders(Headers others) {
    return new UpstreamRequest(method, target, others, body, manner);
  }

  UpstreamRequest withBody(Content.Source other) {
    return new UpstreamRequest(method, target, headers, Optional.of(other), manner);
  }
}
