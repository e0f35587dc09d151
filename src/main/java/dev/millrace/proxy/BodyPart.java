package dev.millrace.proxy;

import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.ContentRange;
import dev.millrace.upstream.Header;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.UpstreamHead;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a successful answer delivers, seen from the client: the status, which range, how many bytes.
 *
 * @param status of the response, before {@code x_headers}
 * @param range the bytes of a 206; absent: the whole body
 * @param length bytes that will follow, if it is known and true
 * @param isSeekable whether the origin has shown that it can do ranges
 */
record BodyPart(int status, Optional<ContentRange> range, OptionalLong length, boolean isSeekable) {
  /**
   * @throws ExchangeException (502) if the answer is a part that cannot be relayed
   */
  static BodyPart of(UpstreamHead head, RangeRequest wanted) throws ExchangeException {
    OptionalLong declared = declaredLength(head.headers());
    if (head.status() != 206) {
      return new BodyPart(head.status(), Optional.empty(), declared, false);
    }
    if (isMultipart(head.headers())) {
      throw OriginAnswerException.badContentRange();
    }
    Optional<ContentRange> range =
        head.headers().first("content-range").flatMap(ContentRange::parse);
    return wanted.range().isPresent()
        ? part(range.orElseThrow(OriginAnswerException::badContentRange), declared)
        : whole(range);
  }

  /** What was sent counts, not what was asked; the length on the wire counts most. */
  private static BodyPart part(ContentRange range, OptionalLong declared)
      throws OriginAnswerException {
    ContentRange sent = range;
    if (declared.isPresent() && declared.getAsLong() != range.length()) {
      sent = corrected(range, declared.getAsLong());
    }
    return new BodyPart(206, Optional.of(sent), OptionalLong.of(sent.length()), true);
  }

  private static ContentRange corrected(ContentRange range, long length)
      throws OriginAnswerException {
    long last = range.first() + length - 1;
    if (length < 1 || last >= range.total().orElse(Long.MAX_VALUE)) {
      throw OriginAnswerException.badContentRange();
    }
    return new ContentRange(range.first(), last, range.total());
  }

  /**
   * The client asked for everything; the range was ours. If the origin sends less than all at a
   * time, the body is continued with further ranges, so the total holds. Without a total nothing is
   * claimed.
   */
  private static BodyPart whole(Optional<ContentRange> range) throws OriginAnswerException {
    if (range.isPresent() && range.get().first() != 0) {
      throw OriginAnswerException.badRange();
    }
    OptionalLong total = range.isPresent() ? range.get().total() : OptionalLong.empty();
    return new BodyPart(200, Optional.empty(), total, true);
  }

  /** One number, or the same one repeated (RFC 9110 §8.6). */
  private static OptionalLong declaredLength(Headers headers) {
    List<String> values =
        headers.lines().stream()
            .filter(line -> line.is("content-length"))
            .map(Header::value)
            .map(String::strip)
            .distinct()
            .toList();
    return values.size() == 1 && values.get(0).matches("\\d{1,18}")
        ? OptionalLong.of(Long.parseLong(values.get(0)))
        : OptionalLong.empty();
  }

  private static boolean isMultipart(Headers headers) {
    return headers
        .first("content-type")
        .orElse("")
        .toLowerCase(Locale.ROOT)
        .startsWith("multipart/byteranges");
  }
}
