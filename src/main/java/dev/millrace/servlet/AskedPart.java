package dev.millrace.servlet;

import dev.millrace.proxy.ByteRange;
import dev.millrace.proxy.DashSegmentParameters.Part;
import dev.millrace.proxy.OriginAnswerException;
import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.ContentRange;
import dev.millrace.upstream.UpstreamHead;
import java.util.Optional;
import java.util.OptionalLong;
import org.eclipse.jetty.io.Content;

/**
 * The part of a file that was asked for, whatever of it the origin has sent: the part, or the file
 * from its beginning on if no more than 1 MiB stands before.
 *
 * @param length of the body, if it is known
 */
record AskedPart(Content.Source body, OptionalLong length) {
  /** What is read and dropped at most before a part, of an origin that knows no ranges. */
  static final long MAX_SKIPPED_BYTES = 1 << 20;

  /**
   * Finds it in a successful answer.
   *
   * @throws ExchangeException (502) if it is not there; the caller fails the body
   */
  static AskedPart of(Part part, UpstreamHead head, Content.Source body) throws ExchangeException {
    if (part.range().isEmpty()) {
      return new AskedPart(body, wholeLength(head));
    }
    ByteRange range = part.range().get();
    if (head.status() == 206) {
      ContentRange sent = ContentRange.of(head).orElseThrow(OriginAnswerException::badRange);
      if (!isAll(range, sent)) {
        throw OriginAnswerException.badRange();
      }
      return new AskedPart(body, OptionalLong.of(sent.length()));
    }
    return within(range, head.contentLength(), body);
  }

  /** The answer to a question for everything, which was perhaps put as a range from zero on. */
  private static OptionalLong wholeLength(UpstreamHead head) throws ExchangeException {
    if (head.status() != 206) {
      return head.contentLength();
    }
    Optional<ContentRange> sent = ContentRange.of(head);
    if (sent.isPresent() && sent.get().first() != 0) {
      throw OriginAnswerException.badRange();
    }
    return sent.isPresent() ? sent.get().total() : OptionalLong.empty();
  }

  /** A part may be named longer than its file is. */
  private static boolean isAll(ByteRange asked, ContentRange sent) {
    long lastOfFile = sent.total().orElse(0) - 1;
    return sent.first() == asked.first().orElse(-1)
        && (asked.last().equals(OptionalLong.of(sent.last())) || sent.last() == lastOfFile);
  }

  private static AskedPart within(ByteRange range, OptionalLong fileLength, Content.Source body)
      throws ExchangeException {
    long first = range.first().orElse(0);
    long lastOfFile = fileLength.orElse(Long.MAX_VALUE) - 1;
    if (first > MAX_SKIPPED_BYTES || first > lastOfFile) {
      throw OriginAnswerException.badRange();
    }
    long last = Math.min(range.last().orElse(Long.MAX_VALUE - 1), lastOfFile);
    return fileLength.isPresent()
        ? new AskedPart(
            WindowBody.exactly(body, first, last - first + 1), OptionalLong.of(last - first + 1))
        : new AskedPart(WindowBody.upTo(body, first, last - first + 1), OptionalLong.empty());
  }
}
