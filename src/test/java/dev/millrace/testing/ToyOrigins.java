package dev.millrace.testing;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Origins that behave: files with and without ranges, streams without an end, redirects, mirrors.
 * Bodies are {@link OffsetBytes}. The faulty ones are in {@link FaultyOrigins}.
 */
public final class ToyOrigins {
  public static final String ETAG = "\"abc\"";
  private static final String TYPE = "Content-Type: video/mp4";
  private static final int CHUNK = 8_192;

  private ToyOrigins() {}

  /** U1: a fixed file that honours Range with 206 and has ETag, Accept-Ranges and a cookie. */
  public static Script file(long size) {
    return exchange -> sendFile(exchange, size);
  }

  /** One answer of {@link #file}. */
  public static void sendFile(OriginExchange exchange, long size) throws IOException {
    sendFile(exchange, size, TYPE, "Accept-Ranges: bytes", "ETag: " + ETAG, "Set-Cookie: a=b");
  }

  /** One answer with ranges and the given further header lines. */
  public static void sendFile(OriginExchange exchange, long size, String... fields)
      throws IOException {
    RangeAsked range = RangeAsked.of(exchange.request(), size);
    if (range.isUnsatisfiable()) {
      exchange.text(416, "", "Content-Range: bytes */" + size);
      return;
    }
    String[] all = Arrays.copyOf(fields, fields.length + 2);
    all[fields.length] = "Content-Length: " + (range.to() - range.from());
    all[fields.length + 1] =
        range.isWhole()
            ? "X-Origin: whole"
            : "Content-Range: bytes " + range.from() + "-" + (range.to() - 1) + "/" + size;
    exchange.head(range.isWhole() ? 200 : 206, all);
    if (!exchange.isHead()) {
      exchange.body(range.from(), range.to());
    }
  }

  /** A file of these bytes, with ranges. */
  public static Script content(byte[] bytes, String type) {
    return exchange -> {
      RangeAsked range = RangeAsked.of(exchange.request(), bytes.length);
      String answered = "bytes " + range.from() + "-" + (range.to() - 1) + "/" + bytes.length;
      exchange.bytes(
          range.isWhole() ? 200 : 206,
          Arrays.copyOfRange(bytes, (int) range.from(), (int) range.to()),
          "Content-Type: " + type,
          "Accept-Ranges: bytes",
          (range.isWhole() ? "X-Whole: " : "Content-Range: ") + answered);
    };
  }

  /** U2: ignores Range; 200 with a length and nothing said about ranges. */
  public static Script withoutRanges(long size) {
    return exchange -> {
      exchange.head(200, TYPE, "Content-Length: " + size);
      if (!exchange.isHead()) {
        exchange.body(0, size);
      }
    };
  }

  /** U3: 200, chunked, no length. */
  public static Script chunked(long size) {
    return exchange -> {
      exchange.head(200, TYPE, "Transfer-Encoding: chunked");
      if (exchange.isHead()) {
        return;
      }
      for (long at = 0; at < size; at += CHUNK) {
        exchange.chunk(OffsetBytes.range(at, Math.min(size, at + CHUNK)));
      }
      exchange.lastChunk();
    };
  }

  /** U3 by closing: 200 whose body ends with the connection. */
  public static Script untilClose(long size) {
    return exchange -> {
      exchange.head(200, TYPE, "Connection: close");
      exchange.body(0, size);
      exchange.cut();
    };
  }

  /** U5: headers and {@code first} bytes of a chunked body, then silence. */
  public static Script silentAfter(int first) {
    return exchange -> {
      exchange.head(200, TYPE, "Transfer-Encoding: chunked");
      exchange.chunk(OffsetBytes.range(0, first));
      exchange.hold();
    };
  }

  /** U5 with a trickle: one small chunk per {@code every}, without end. */
  public static Script trickle(int bytes, Duration every) {
    return exchange -> {
      exchange.head(200, TYPE, "Transfer-Encoding: chunked");
      long at = 0;
      do {
        exchange.chunk(OffsetBytes.range(at, at + bytes));
        at += bytes;
      } while (exchange.pause(every));
    };
  }

  /** Sends as fast as it is read, without end and without a length. */
  public static Script endless() {
    return exchange -> {
      exchange.head(200, TYPE, "Transfer-Encoding: chunked");
      for (long at = 0; true; at += 1 << 30) {
        exchange.write("40000000\r\n"); // one large chunk, as many small ones cost the test CPU
        exchange.body(at, at + (1 << 30));
        exchange.write("\r\n");
      }
    };
  }

  /** U9: a status with a short text body. */
  public static Script status(int code, String... fields) {
    return exchange -> exchange.text(code, "origin says " + code, fields);
  }

  /** U9 by path: {@code /st/404} answers 404. */
  public static Script statusByPath(String... fields) {
    return exchange -> {
      String path = exchange.request().path();
      status(Integer.parseInt(path.substring(path.lastIndexOf('/') + 1)), fields).answer(exchange);
    };
  }

  /** U11: answers with the request line and headers it received. */
  public static Script mirror() {
    return exchange ->
        exchange.text(
            200,
            exchange.request().requestLine()
                + "\n"
                + String.join("\n", exchange.request().fieldLines()),
            "Content-Type: text/plain");
  }

  /** U12: 403 unless a header has a value. */
  public static Script onlyWith(String name, String value, Script script) {
    return exchange -> {
      if (exchange.request().field(name).filter(value::equals).isPresent()) {
        script.answer(exchange);
      } else {
        status(403).answer(exchange);
      }
    };
  }

  /** {@code /hop/n} redirects to {@code /hop/n-1}; {@code /hop/0} is {@code last}. */
  public static Script redirectChain(Script last) {
    return exchange -> {
      String path = exchange.request().path();
      int left = Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
      if (left == 0) {
        last.answer(exchange);
      } else {
        redirect("/hop/" + (left - 1)).answer(exchange);
      }
    };
  }

  /** A 302 with this Location, absolute or relative. */
  public static Script redirect(String location) {
    return exchange -> exchange.text(302, "moved", "Location: " + location);
  }

  /** U8: 302 to {@code /t/n}; each token is good for one use. */
  public static Script freshTokens(Script script) {
    return freshTokens(Duration.ofHours(1), script);
  }

  /** U8: 302 to {@code /t/n}; each token is good for one use within {@code life}. */
  public static Script freshTokens(Duration life, Script script) {
    Queue<Long> deadlines = new ConcurrentLinkedQueue<>();
    AtomicInteger tokens = new AtomicInteger();
    AtomicInteger used = new AtomicInteger();
    return exchange -> {
      String path = exchange.request().path();
      if (!path.startsWith("/t/")) {
        deadlines.add(exchange.request().nanoTime() + life.toNanos());
        redirect("/t/" + tokens.incrementAndGet()).answer(exchange);
      } else if (used.incrementAndGet() == Integer.parseInt(path.substring(3))
          && exchange.request().nanoTime() - deadlines.remove() < 0) {
        script.answer(exchange);
      } else {
        status(403).answer(exchange);
      }
    };
  }

  /** The first {@code count} requests get {@code first}, all others {@code then}. */
  public static Script first(int count, Script first, Script then) {
    AtomicInteger calls = new AtomicInteger();
    return exchange -> (calls.getAndIncrement() < count ? first : then).answer(exchange);
  }

  /** Different answers to HEAD and to everything else. */
  public static Script byMethod(Script head, Script other) {
    return exchange -> (exchange.isHead() ? head : other).answer(exchange);
  }
}
