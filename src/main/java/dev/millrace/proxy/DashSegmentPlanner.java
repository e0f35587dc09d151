package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.ContentRange;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.UpstreamHead;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How clear media of a presentation is answered: always 200, or 206 for a range of it that the
 * client asks for (RFC 9110 §14). Ranges count in the bytes of the response, not in those of the
 * origin's file, and only where its length is known.
 */
public final class DashSegmentPlanner {
  private static final int TAG_BYTES = 16;

  private DashSegmentPlanner() {}

  /**
   * What the client asks for.
   *
   * @param range its {@code Range}; absent or blank: all
   * @param ifRange its {@code If-Range}
   */
  public record Wanted(Optional<String> range, Optional<String> ifRange) {}

  /**
   * An answer.
   *
   * @param part which bytes of the body are sent; absent: all of it
   */
  public record Plan(ResponsePlan response, Optional<ContentRange> part) {}

  /**
   * Plans the response.
   *
   * @param head of the origin's answer for the media
   * @param length of the whole response, if it is known
   * @param initLength how much of it is an initialization segment
   * @throws RangeNotSatisfiableException (416) if the range cannot be read
   * @throws OriginStatusException (416) if it is beyond the end
   */
  public static Plan plan(
      DashSegmentParameters parameters,
      UpstreamHead head,
      OptionalLong length,
      long initLength,
      Wanted wanted)
      throws ExchangeException {
    Optional<String> tag = tag(parameters, head, length, initLength);
    Optional<ContentRange> part = part(wanted, tag, length, head);
    ResponsePlan whole =
        StreamPlanner.plan(
            parameters.fields(),
            RangeRequest.NONE,
            described(parameters, head, length),
            Optional.empty());
    Headers headers =
        whole
            .headers()
            .without("ETag")
            .with("Accept-Ranges", length.isPresent() ? "bytes" : "none");
    if (tag.isPresent() && !parameters.fields().droppedHeaders().contains("etag")) {
      headers = headers.with("ETag", tag.get());
    }
    if (part.isEmpty()) {
      return new Plan(new ResponsePlan(200, headers, whole.contentLength()), part);
    }
    headers = headers.with("Content-Range", part.get().fieldValue());
    return new Plan(new ResponsePlan(206, headers, OptionalLong.of(part.get().length())), part);
  }

  /** The answer as if it were of the clear media. */
  private static UpstreamHead described(
      DashSegmentParameters parameters, UpstreamHead head, OptionalLong length) {
    Headers headers =
        head.headers()
            .without("Content-Range")
            .without("Content-Length")
            .with("Content-Type", parameters.mimeType());
    if (length.isPresent()) {
      headers = headers.with("Content-Length", Long.toString(length.getAsLong()));
    }
    return new UpstreamHead(200, headers, head.target());
  }

  private static Optional<ContentRange> part(
      Wanted wanted, Optional<String> tag, OptionalLong length, UpstreamHead head)
      throws ExchangeException {
    Optional<ByteRange> range = ByteRange.parse(wanted.range().orElse(""));
    boolean isOther =
        wanted
            .ifRange()
            .filter(condition -> tag.filter(t -> isStrong(t) && t.equals(condition)).isEmpty())
            .isPresent();
    if (range.isEmpty() || isOther || length.isEmpty()) {
      return Optional.empty();
    }
    long size = length.getAsLong();
    long last = Math.min(range.get().last().orElse(Long.MAX_VALUE), size - 1);
    long first =
        range.get().first().isPresent()
            ? range.get().first().getAsLong()
            : size - Math.min(range.get().last().orElse(0), size);
    if (range.get().first().isEmpty()) {
      last = size - 1;
    }
    if (first > last) {
      throw beyond(size, head);
    }
    return Optional.of(new ContentRange(first, last, length));
  }

  /** As an origin would say it, so that it reads the same on all routes. */
  private static OriginStatusException beyond(long size, UpstreamHead head) {
    Headers headers = Headers.of("Content-Range", "bytes */" + size);
    return OriginStatusException.of(new UpstreamHead(416, headers, head.target()));
  }

  private static boolean isStrong(String tag) {
    return tag.startsWith("\"");
  }

  /**
   * Strong if the origin's is; weak if that is weak, or only the date of the media is known. It
   * depends on everything that the bytes depend on.
   */
  private static Optional<String> tag(
      DashSegmentParameters parameters, UpstreamHead head, OptionalLong length, long initLength) {
    Optional<String> origin = head.headers().first("ETag").filter(tag -> !tag.isBlank());
    Optional<String> version = origin.or(() -> head.headers().first("Last-Modified"));
    if (version.isEmpty()) {
      return Optional.empty();
    }
    MessageDigest digest = sha256();
    add(digest, version.get());
    add(digest, length + " " + initLength + " " + parameters.usesMap() + parameters.shift());
    parameters.media().ifPresent(part -> add(digest, part));
    parameters.initialization().ifPresent(part -> add(digest, part));
    add(digest, parameters.keys().keyIds());
    add(digest, parameters.keys().keys());
    String text = "\"" + HexFormat.of().formatHex(digest.digest(), 0, TAG_BYTES) + "\"";
    return Optional.of(
        origin.filter(DashSegmentPlanner::isStrong).isPresent() ? text : "W/" + text);
  }

  private static void add(MessageDigest digest, DashSegmentParameters.Part part) {
    add(digest, part.address().origin() + part.address().requestTarget());
    add(digest, part.range().map(ByteRange::fieldValue).orElse(""));
  }

  private static void add(MessageDigest digest, String text) {
    digest.update(text.getBytes(UTF_8));
    digest.update((byte) 0);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every platform has it", e);
    }
  }
}
