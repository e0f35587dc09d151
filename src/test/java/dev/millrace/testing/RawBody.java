package dev.millrace.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.net.SocketTimeoutException;

/**
 * Reads the body of one answer in the framing of its head, RFC 9112 §6.3, as slowly as the caller
 * likes, and tells apart the ways it can end.
 */
public final class RawBody {
  private static final int BUFFER = 32 << 10;
  private static final int CLOSE_DELIMITED = -1;

  private final InputStream in;
  private final boolean chunked;
  private final byte[] buffer = new byte[BUFFER];
  private long left;
  private long position;
  private long firstWrongAt = -1;
  private BodyEnd end;
  private boolean afterChunk;
  private boolean ended;

  private RawBody(InputStream in, boolean chunked, long left) {
    this.in = in;
    this.chunked = chunked;
    this.left = left;
    this.end = BodyEnd.COMPLETE;
    this.ended = !chunked && left == 0;
  }

  static RawBody of(InputStream in, String method, RawHead head) {
    if (method.equals("HEAD") || head.status() == 204 || head.status() == 304) {
      return new RawBody(in, false, 0);
    }
    if (head.isChunked()) {
      return new RawBody(in, true, 0);
    }
    return new RawBody(
        in,
        false,
        head.field("Content-Length").map(Long::parseLong).orElse((long) CLOSE_DELIMITED));
  }

  /** Where in {@link OffsetBytes} the first byte belongs; for ranges. */
  public RawBody startingAt(long offset) {
    position = offset;
    return this;
  }

  /** Reads to the end and keeps everything. */
  public ReceivedBody readAll() {
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    for (int count = next(BUFFER); count > 0; count = next(BUFFER)) {
      kept.write(buffer, 0, count);
    }
    return new ReceivedBody(kept.toByteArray(), end);
  }

  /** Reads {@code limit} bytes, or fewer if the body ends, and keeps them. */
  public byte[] readFirst(int limit) {
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    while (kept.size() < limit) {
      int count = next(Math.min(BUFFER, limit - kept.size()));
      if (count == 0) {
        break;
      }
      kept.write(buffer, 0, count);
    }
    return kept.toByteArray();
  }

  /** Reads to the end and compares. */
  public CountedBody countAll() {
    return count(Long.MAX_VALUE);
  }

  /** Reads {@code limit} bytes, or fewer if the body ends, and compares. */
  public CountedBody count(long limit) {
    long length = 0;
    while (length < limit) {
      int count = next((int) Math.min(BUFFER, limit - length));
      if (count == 0) {
        break;
      }
      length += count;
    }
    return new CountedBody(length, firstWrongAt, end);
  }

  /** Up to {@code limit} bytes into the buffer; 0 at the end, whose kind is then known. */
  private int next(int limit) {
    try {
      return ended ? 0 : read(limit);
    } catch (SocketTimeoutException silence) {
      return ended(BodyEnd.STALLED);
    } catch (SocketException reset) {
      return ended(BodyEnd.RESET);
    } catch (NumberFormatException noChunk) {
      return ended(BodyEnd.MALFORMED);
    } catch (IOException cut) {
      return ended(BodyEnd.TRUNCATED);
    }
  }

  private int read(int limit) throws IOException {
    if (chunked && left == 0 && !nextChunk()) {
      return ended(BodyEnd.COMPLETE);
    }
    int count = in.read(buffer, 0, (int) (left < 0 ? limit : Math.min(limit, left)));
    if (count < 0) {
      return ended(left < 0 ? BodyEnd.COMPLETE : BodyEnd.TRUNCATED);
    }
    compare(count);
    if (left > 0) {
      left -= count;
      ended = left == 0 && !chunked;
    }
    return count;
  }

  private void compare(int count) {
    if (firstWrongAt < 0) {
      firstWrongAt = OffsetBytes.firstWrong(buffer, count, position);
    }
    position += count;
  }

  /**
   * False for the last chunk, whose trailers are skipped. The line end of the chunk before is read
   * here only: servers may send it with the next chunk, and its bytes count without it.
   */
  private boolean nextChunk() throws IOException {
    if (afterChunk && !Wire.line(in).isEmpty()) {
      throw new NumberFormatException("chunk without CRLF");
    }
    afterChunk = true;
    String size = Wire.line(in);
    int extension = size.indexOf(';');
    left = Long.parseLong(extension < 0 ? size : size.substring(0, extension).strip(), 16);
    if (left == 0) {
      Wire.linesToBlank(in);
      return false;
    }
    return true;
  }

  private int ended(BodyEnd how) {
    end = how;
    ended = true;
    return 0;
  }
}
