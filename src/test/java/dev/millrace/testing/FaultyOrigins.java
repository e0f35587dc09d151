package dev.millrace.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;

/** Origins that lie, cut, stall or surprise. Bodies are {@link OffsetBytes} where not stated. */
public final class FaultyOrigins {
  /** In {@link #cutAfter}: this request is served whole. */
  public static final long COMPLETE = Long.MAX_VALUE;

  private static final String TYPE = "Content-Type: video/mp4";

  private FaultyOrigins() {}

  /** U4: announces everything asked for and closes after so many bytes, request by request. */
  public static Script cutAfter(long size, long... cuts) {
    AtomicInteger calls = new AtomicInteger();
    return exchange -> {
      RangeAsked range = RangeAsked.of(exchange.request(), size);
      int call = Math.min(calls.getAndIncrement(), cuts.length - 1);
      long length = range.to() - range.from();
      exchange.head(
          range.isWhole() ? 200 : 206,
          TYPE,
          "ETag: " + ToyOrigins.ETAG,
          "Content-Length: " + length,
          range.isWhole()
              ? "Accept-Ranges: bytes"
              : "Content-Range: bytes " + range.from() + "-" + (range.to() - 1) + "/" + size);
      exchange.body(range.from(), range.from() + Math.min(length, cuts[call]));
      if (cuts[call] < length) {
        exchange.cut();
      }
    };
  }

  /** A chunked body that stops, with FIN or RST, without its last chunk. */
  public static Script cutChunked(int bytes, boolean reset) {
    return exchange -> {
      exchange.head(200, TYPE, "Transfer-Encoding: chunked");
      exchange.chunk(OffsetBytes.range(0, bytes));
      if (reset) {
        exchange.reset();
      } else {
        exchange.cut();
      }
    };
  }

  /** U6: takes the request and never says a word. */
  public static Script mute() {
    return OriginExchange::hold;
  }

  /** Sends its header byte by byte, one per {@code every}, and never ends it. */
  public static Script slowHeaders(Duration every) {
    return exchange -> {
      exchange.write("HTTP/1.1 200 OK\r\nX-Slow: ");
      while (exchange.pause(every)) {
        exchange.write("x");
      }
    };
  }

  /** U10: HEAD gives {@code code} with an 18-byte error; anything else is {@code get}. */
  public static Script headRefused(int code, Script get) {
    return ToyOrigins.byMethod(
        exchange -> exchange.head(code, "Content-Length: 18", "Content-Type: text/html"), get);
  }

  /** U13: gzip whether asked for or not; {@code kept} bytes of the coded form, all announced. */
  public static Script gzip(byte[] plain, int kept) {
    byte[] coded = gzipped(plain);
    int sent = Math.min(kept, coded.length);
    return exchange ->
        exchange.bytes(200, Arrays.copyOf(coded, sent), TYPE, "Content-Encoding: gzip");
  }

  /** A 206 of a coded representation, which cannot be decoded. */
  public static Script gzipPartial(byte[] plain, int from, int to) {
    byte[] coded = gzipped(plain);
    return exchange ->
        exchange.bytes(
            206,
            Arrays.copyOfRange(coded, from, to),
            TYPE,
            "Content-Encoding: gzip",
            "Content-Range: bytes " + from + "-" + (to - 1) + "/" + coded.length);
  }

  /** The gzip form that {@link #gzip} and {@link #gzipPartial} send. */
  public static byte[] gzipped(byte[] plain) {
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(coded)) {
      gzip.write(plain);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return coded.toByteArray();
  }

  /** U15: keeps connections, and closes one silently when it is used again. */
  public static Script staleConnections(Script script, boolean reset) {
    return exchange -> {
      if (exchange.requestOnConnection() == 1) {
        script.answer(exchange);
      } else if (reset) {
        exchange.reset();
      } else {
        exchange.cut();
      }
    };
  }

  /** U16: one request at a time; a second one meanwhile gets 503. */
  public static Script oneAtATime(Script script) {
    AtomicInteger busy = new AtomicInteger();
    return exchange -> {
      try {
        if (busy.incrementAndGet() > 1) {
          ToyOrigins.status(503, "Retry-After: 1").answer(exchange);
        } else {
          script.answer(exchange);
        }
      } finally {
        busy.decrementAndGet();
      }
    };
  }

  /** S10: HEAD says 10 bytes and nothing of ranges; GET is a whole file. */
  public static Script headDisagrees(long size) {
    return ToyOrigins.byMethod(
        exchange -> exchange.head(200, TYPE, "Content-Length: 10"), ToyOrigins.file(size));
  }

  /** S13 and F26: never sends more than {@code cap} bytes of a range, and says so. */
  public static Script cappedRanges(long size, long cap) {
    return exchange -> {
      RangeAsked range = RangeAsked.of(exchange.request(), size);
      long to = Math.min(range.to(), range.from() + cap);
      exchange.head(
          206,
          TYPE,
          "ETag: " + ToyOrigins.ETAG,
          "Content-Length: " + (to - range.from()),
          "Content-Range: bytes " + range.from() + "-" + (to - 1) + "/" + size);
      if (!exchange.isHead()) {
        exchange.body(range.from(), to);
      }
    };
  }

  /** F28: a 206 whose total is {@code *}. */
  public static Script unknownTotal(long size) {
    return exchange -> {
      RangeAsked range = RangeAsked.of(exchange.request(), size);
      exchange.head(
          206,
          TYPE,
          "Content-Length: " + (range.to() - range.from()),
          "Content-Range: bytes " + range.from() + "-" + (range.to() - 1) + "/*");
      if (!exchange.isHead()) {
        exchange.body(range.from(), range.to());
      }
    };
  }

  /** S24: a 206 without Content-Length; its end is the end of the connection. */
  public static Script partialWithoutLength(long size) {
    return exchange -> {
      RangeAsked range = RangeAsked.of(exchange.request(), size);
      exchange.head(
          206,
          TYPE,
          "Connection: close",
          "Content-Range: bytes " + range.from() + "-" + (range.to() - 1) + "/" + size);
      exchange.body(range.from(), range.to());
      exchange.cut();
    };
  }

  /** N05: promises {@code promised} bytes, sends more, keeps the connection. */
  public static Script surplus(int promised, int sent) {
    return exchange -> {
      exchange.head(200, TYPE, "Content-Length: " + promised);
      exchange.body(0, sent);
    };
  }

  /** S08: a whole file as 200 with a Content-Range and an odd Accept-Ranges. */
  public static Script oddRangeFields(long size) {
    return exchange -> {
      exchange.head(
          200,
          TYPE,
          "Content-Length: " + size,
          "Accept-Ranges: 0-" + size,
          "Content-Range: bytes 0-" + (size - 1) + "/" + size);
      if (!exchange.isHead()) {
        exchange.body(0, size);
      }
    };
  }

  /** A header field of so many bytes. */
  public static Script hugeHeader(int bytes) {
    return exchange -> exchange.text(200, "ok", "X-Huge: " + "h".repeat(bytes));
  }

  /** Something that is not HTTP. */
  public static Script garbage() {
    return exchange -> {
      exchange.write("\u0016\u0003\u0001 this is no HTTP\r\n\r\n");
      exchange.cut();
    };
  }

  /** Closes, with FIN or RST, instead of answering. */
  public static Script closesEarly(boolean reset) {
    return exchange -> {
      if (reset) {
        exchange.reset();
      } else {
        exchange.cut();
      }
    };
  }
}
