package dev.millrace.testing;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;

/**
 * The files of {@link HlsFiles} under {@code /faulty/SESSION/}, from a bad server: the third
 * segment begins after 1.5 seconds, and the fourth is cut in its middle whenever it is asked from
 * its beginning.
 */
public final class FaultyHls implements Script {
  private static final Duration SLOW = Duration.ofMillis(1_500);

  private final HlsFiles files;

  public FaultyHls(HlsFiles files) {
    this.files = files;
  }

  @Override
  public void answer(OriginExchange exchange) throws IOException {
    String path = exchange.request().path();
    byte[] file = files.read("ts/" + path.substring(path.lastIndexOf('/') + 1));
    if (path.endsWith("index2.ts") && !exchange.pause(SLOW)) {
      return;
    }
    RangeAsked range = RangeAsked.of(exchange.request(), file.length);
    if (path.endsWith("index3.ts") && range.from() == 0) {
      sendHalf(exchange, file, range);
    } else {
      files.send(exchange, file);
    }
  }

  private void sendHalf(OriginExchange exchange, byte[] file, RangeAsked range) throws IOException {
    String[] fields = files.fields(exchange.request(), file, range);
    String[] all = Arrays.copyOf(fields, fields.length + 1);
    all[fields.length] = "Content-Length: " + file.length;
    exchange.head(range.isWhole() ? 200 : 206, all);
    exchange.write(Arrays.copyOf(file, file.length / 2));
    exchange.cut();
  }
}
