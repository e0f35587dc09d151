package dev.millrace.servlet;

import dev.millrace.stream.ExchangeException;
import java.io.IOException;

/** {@code /proxy/hls/…}: playlists, what they lead to, and the lists in JSON that go with them. */
public final class HlsRoute implements Route {
  private final Route manifests;
  private final Route segments;
  private final Route lists;

  /**
   * @param manifests {@code manifest.m3u8} and {@code key_proxy/manifest.m3u8}, with or without a
   *     name for the file behind them
   * @param segments {@code segment.…}, the same
   * @param lists {@code list.json}
   */
  public HlsRoute(Route manifests, Route segments, Route lists) {
    this.manifests = manifests;
    this.segments = segments;
    this.lists = lists;
  }

  @Override
  public void serve(RouteRequest request) throws ExchangeException, IOException {
    String suffix = request.match().suffix();
    if (isOf("manifest.m3u8", suffix) || isOf("key_proxy/manifest.m3u8", suffix)) {
      manifests.serve(request);
    } else if (suffix.startsWith("segment.")) {
      segments.serve(request);
    } else if (suffix.equals("list.json")) {
      lists.serve(request);
    } else {
      ErrorMapper.plain(404, "Not Found").send(request.clientRequest(), request.proxyResponse());
    }
  }

  private static boolean isOf(String route, String suffix) {
    return suffix.equals(route) || suffix.startsWith(route + "/");
  }
}
