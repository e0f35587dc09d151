package dev.millrace.upstream;

import dev.millrace.stream.ExchangeException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A body without an end of its own: when its origin ends it, it is opened again, and what comes is
 * appended as it is. That is so if the client said so, or if the answer looks like it: a transport
 * stream or audio of which the origin tells neither length nor validators nor ranges, and which has
 * run for {@value #PROOF_SECONDS} seconds.
 *
 * @param isAsked whether the client said so; then a cut is no end either
 * @param status of the first answer: 200, or 206 without a total
 * @param mediaType of the first answer, lower case, without parameters; empty if it has none
 */
record Reopening(boolean isAsked, int status, String mediaType) implements Continuation {
  static final int PROOF_SECONDS = 10;

  private static final Duration PROOF = Duration.ofSeconds(PROOF_SECONDS);

  /** Absent for a body whose length is known, and for any that may as well be a file. */
  static Optional<Continuation> of(FetchRequest request, UpstreamHead head, boolean isDecoded) {
    String type = mediaType(head);
    boolean isOpen =
        head.status() == 200
            ? !head.headers().has("Content-Length")
            : head.status() == 206
                && !request.first().headers().has("Range")
                && ContentRange.of(head).filter(range -> range.total().isPresent()).isEmpty();
    boolean isMeant =
        request.isLive() || (head.status() == 200 && !isDecoded && looksLive(head, type));
    return isOpen && isMeant
        ? Optional.of(new Reopening(request.isLive(), head.status(), type))
        : Optional.empty();
  }

  private static boolean looksLive(UpstreamHead head, String type) {
    return (type.equals("video/mp2t") || type.startsWith("audio/"))
        && !type.contains("mpegurl")
        && Stream.of("ETag", "Last-Modified", "Accept-Ranges").noneMatch(head.headers()::has);
  }

  private static String mediaType(UpstreamHead head) {
    String field = head.headers().first("Content-Type").orElse("");
    int semicolon = field.indexOf(';');
    return (semicolon < 0 ? field : field.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
  }

  @Override
  public long first() {
    return 0;
  }

  @Override
  public long end() {
    return Long.MAX_VALUE;
  }

  @Override
  public UpstreamRequest ask(UpstreamRequest original, long position) {
    return original;
  }

  @Override
  public boolean continuesAt(long position, UpstreamHead head) {
    return head.status() == status && mediaType(head).equals(mediaType);
  }

  @Override
  public Next afterEnd(long partBytes, Duration longestFlow) {
    return isAsked || longestFlow.compareTo(PROOF) >= 0 ? Next.REOPEN : Next.END;
  }

  @Override
  public Next afterCut() {
    return isAsked ? Next.RESUME : Next.FAIL;
  }

  /** Origins at their limit refuse with all kinds of answers, for a while. */
  @Override
  public boolean isWorthAnother(UpstreamHead refusal) {
    return true;
  }

  @Override
  public boolean isWorthAnother(ExchangeException failure) {
    return true;
  }

  @Override
  public boolean isSettled(long partBytes, Duration flow) {
    return flow.compareTo(PROOF) >= 0;
  }

  @Override
  public boolean isFromAnySource() {
    return isAsked;
  }

  @Override
  public RetryRow newRow(ResumeConfig limits) {
    return RetryRow.ofLive(limits);
  }
}
