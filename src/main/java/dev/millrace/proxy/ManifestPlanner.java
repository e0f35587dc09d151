package dev.millrace.proxy;

import dev.millrace.upstream.Header;
import dev.millrace.upstream.Headers;
import java.util.OptionalLong;
import java.util.Set;

/** Status and fields of a playlist's response (contract §10.3): none of the origin's. */
public final class ManifestPlanner {
  /** What a request cannot drop: who may keep the answer, and what keeps it from being a page. */
  private static final Set<String> OURS = Set.of("content-type", "cache-control");

  private ManifestPlanner() {}

  /**
   * Of a playlist.
   *
   * @param holdsSecrets whether its links can be used by whoever sees them
   * @param isLive whether there will be another one soon
   * @param length in bytes; absent if it is not known before the end
   */
  public static ResponsePlan playlist(
      HlsParameters parameters, boolean holdsSecrets, boolean isLive, OptionalLong length) {
    return playlist(parameters.stream(), holdsSecrets, isLive, length);
  }

  /** The same of any playlist, with what its request says of fields. */
  public static ResponsePlan playlist(
      ProxyParameters parameters, boolean holdsSecrets, boolean isLive, OptionalLong length) {
    return plan(parameters, MediaType.HLS.text(), caching(holdsSecrets, isLive), length);
  }

  /** Of a list in JSON; the same otherwise. */
  public static ResponsePlan list(HlsParameters parameters, boolean holdsSecrets, long length) {
    return plan(
        parameters.stream(),
        "application/json",
        caching(holdsSecrets, true),
        OptionalLong.of(length));
  }

  private static String caching(boolean holdsSecrets, boolean isLive) {
    return holdsSecrets ? "no-store" : isLive ? "no-cache" : "private";
  }

  private static ResponsePlan plan(
      ProxyParameters parameters, String type, String caching, OptionalLong length) {
    Headers headers =
        ResponsePlan.SAFETY
            .with("Content-Type", type)
            .with("Content-Disposition", "inline")
            .with("Accept-Ranges", "none")
            .with("Cache-Control", caching);
    Set<String> dropped = parameters.droppedHeaders();
    for (String name : dropped) {
      if (!OURS.contains(name) && !ResponsePlan.SAFETY.has(name)) {
        headers = headers.without(name);
      }
    }
    for (Header line : parameters.responseHeaders()) {
      headers =
          line.is("content-type")
              ? headers.with("Content-Type", MediaTypes.harmless(line.value()))
              : headers.with(line.name(), line.value());
    }
    return new ResponsePlan(
        200, headers, dropped.contains("content-length") ? OptionalLong.empty() : length);
  }
}
