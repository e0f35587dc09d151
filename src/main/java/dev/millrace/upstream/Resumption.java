package dev.millrace.upstream;

import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.OverBudgetException;
import dev.millrace.upstream.UpstreamException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The rest of a body of known length: asked for from the exact next byte (RFC 9110 §14.2), and
 * taken only if it belongs to the same representation. A strong entity tag, or the date of a
 * representation without any tag, goes along as {@code If-Range} (§13.1.5); a weak tag is only
 * compared. Without either, start and total must do.
 *
 * @param first offset of the first byte of the body
 * @param last offset of its last byte, ≥ {@code first}
 * @param total length of the whole representation, &gt; {@code last}
 * @param entityTag as the origin wrote it
 * @param lastModified as the origin wrote it
 * @param coding the {@code Content-Encoding} of a body that is passed coded
 */
record Resumption(
    long first,
    long last,
    long total,
    Optional<String> entityTag,
    Optional<String> lastModified,
    Optional<String> coding)
    implements Continuation {
  /** An answer below this did not get far: the next is not asked for at once. */
  private static final long SETTLED_BYTES = 64 << 10;

  /** Fields that say where a body goes on and in what. */
  private static final List<String> DECISIVE = List.of("Content-Range", "ETag", "Last-Modified");

  private static final Set<Integer> BUSY = Set.of(408, 429, 502, 503, 504, 509);
  private static final Set<Kind> PASSING =
      Set.of(
          Kind.DNS_FAILED,
          Kind.CONNECT_FAILED,
          Kind.CONNECT_TIMEOUT,
          Kind.UPSTREAM_TIMEOUT,
          Kind.UPSTREAM_IDLE,
          Kind.UPSTREAM_CLOSED);

  /** Absent if the answer does not say how long its body is, or what it is a part of. */
  static Optional<Resumption> of(UpstreamRequest request, UpstreamHead head) {
    OptionalLong length = head.contentLength();
    if (head.status() == 200 && length.isPresent() && length.getAsLong() > 0) {
      return Optional.of(between(0, length.getAsLong() - 1, length.getAsLong(), head));
    }
    Optional<ContentRange> range = ContentRange.of(head).filter(r -> r.total().isPresent());
    if (head.status() != 206 || range.isEmpty()) {
      return Optional.empty();
    }
    long first = range.get().first();
    long total = range.get().total().getAsLong();
    if (!request.headers().has("Range")) { // everything is wanted, however little comes at a time
      return Optional.of(between(0, total - 1, total, head)).filter(whole -> first == 0);
    }
    long last = first + length.orElse(range.get().length()) - 1;
    return Optional.of(range)
        .filter(r -> first <= last && last < total)
        .map(r -> between(first, last, total, head));
  }

  private static Resumption between(long first, long last, long total, UpstreamHead head) {
    Headers headers = head.headers();
    return new Resumption(
        first,
        last,
        total,
        headers.first("ETag"),
        headers.first("Last-Modified"),
        headers.first("Content-Encoding"));
  }

  @Override
  public long end() {
    return last + 1;
  }

  @Override
  public UpstreamRequest ask(UpstreamRequest original, long position) {
    Headers headers =
        original.headers().without("If-Range").with("Range", "bytes=" + position + "-" + last);
    Optional<String> validator = entityTag.isPresent() ? strongTag() : lastModified;
    if (validator.isPresent()) {
      headers = headers.with("If-Range", validator.get());
    }
    return new UpstreamRequest(original.method(), original.target(), headers);
  }

  private Optional<String> strongTag() {
    return entityTag.filter(tag -> tag.startsWith("\""));
  }

  @Override
  public boolean continuesAt(long position, UpstreamHead head) {
    OptionalLong sameTotal = OptionalLong.of(total);
    return head.status() == 206
        && isSameContent(head.headers())
        && ContentRange.of(head)
            .filter(range -> range.first() == position && range.last() <= last)
            .filter(range -> range.total().equals(sameTotal))
            .isPresent();
  }

  /** A 206 may leave out the date that was sent as {@code If-Range} (RFC 9110 §15.3.7). */
  private boolean isSameContent(Headers headers) {
    if (!headers.first("Content-Encoding").equals(coding)
        || headers.first("Content-Type").filter(Resumption::isMultipart).isPresent()
        || DECISIVE.stream().anyMatch(name -> isContradictory(headers, name))) {
      return false;
    }
    return entityTag.isPresent()
        ? headers.first("ETag").equals(entityTag)
        : lastModified.isEmpty()
            || headers.first("Last-Modified").or(() -> lastModified).equals(lastModified);
  }

  /** Several ranges with heads between them (RFC 9110 §14.6), which nobody has asked for. */
  private static boolean isMultipart(String mediaType) {
    return mediaType.strip().toLowerCase(Locale.ROOT).startsWith("multipart/");
  }

  private static boolean isContradictory(Headers headers, String name) {
    return headers.lines().stream()
            .filter(line -> line.is(name))
            .map(Header::value)
            .distinct()
            .count()
        > 1;
  }

  @Override
  public Next afterEnd(long partBytes, Duration longestFlow) {
    return partBytes > 0 ? Next.NEXT_PART : Next.RESUME; // or it could be asked for ever
  }

  @Override
  public Next afterCut() {
    return Next.RESUME;
  }

  @Override
  public boolean isWorthAnother(UpstreamHead refusal) {
    return BUSY.contains(refusal.status());
  }

  @Override
  public boolean isWorthAnother(ExchangeException failure) {
    return failure instanceof OverBudgetException || isPassing(failure);
  }

  /** Whether it is one that may be over a moment later. */
  static boolean isPassing(ExchangeException failure) {
    return failure instanceof UpstreamException known && PASSING.contains(known.kind());
  }

  @Override
  public boolean isSettled(long partBytes, Duration flow) {
    return partBytes >= SETTLED_BYTES;
  }

  @Override
  public boolean isFromAnySource() {
    return false;
  }

  @Override
  public RetryRow newRow(ResumeConfig limits) {
    return RetryRow.ofCuts(limits);
  }
}
