package dev.millrace.testing;

import java.io.IOException;

/**
 * The fixture of the compatibility tests: {@code /v.mp4} (10,240 bytes), {@code /norange.mp4},
 * {@code /nohead.mp4}, {@code /st/<code>}, {@code /gz}, {@code /redir} (to {@code /v.mp4}).
 */
public final class ContractOrigin implements Script {
  public static final int SIZE = 10_240;

  @Override
  public void answer(OriginExchange exchange) throws IOException {
    String path = exchange.request().path();
    if (path.startsWith("/st/")) {
      ToyOrigins.statusByPath("Retry-After: 7").answer(exchange);
      return;
    }
    Script script =
        switch (path) {
          case "/v.mp4" -> ToyOrigins.file(SIZE);
          case "/norange.mp4" -> ToyOrigins.withoutRanges(SIZE);
          case "/nohead.mp4" -> FaultyOrigins.headRefused(405, ToyOrigins.file(SIZE));
          case "/gz" -> FaultyOrigins.gzip(OffsetBytes.range(0, SIZE), Integer.MAX_VALUE);
          case "/redir" -> ToyOrigins.redirect("/v.mp4");
          default -> ToyOrigins.status(404);
        };
    script.answer(exchange);
  }
}
