package dev.millrace.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** An origin of playlists: texts by path, and for every other path a body that says which it is. */
public final class HlsOrigin implements Script {
  public static final String TYPE = "Content-Type: application/vnd.apple.mpegurl";

  private final Map<String, Script> answers = new ConcurrentHashMap<>();

  /** A playlist at that path. */
  public HlsOrigin playlist(String path, String text, String... fields) {
    String[] all = fields.length == 0 ? new String[] {TYPE} : fields;
    return answer(
        path, exchange -> exchange.bytes(200, text.getBytes(StandardCharsets.UTF_8), all));
  }

  /** Anything at that path. */
  public HlsOrigin answer(String path, Script script) {
    answers.put(path, script);
    return this;
  }

  /** The body of what is not a playlist. */
  public static String body(String pathAndQuery) {
    return "body of " + pathAndQuery;
  }

  @Override
  public void answer(OriginExchange exchange) throws IOException {
    Script script = answers.get(exchange.request().path());
    if (script != null) {
      script.answer(exchange);
    } else {
      exchange.text(200, body(exchange.request().target()), "Content-Type: video/mp2t");
    }
  }
}
