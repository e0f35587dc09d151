package dev.millrace.link;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a link is to ask for, before it is an address.
 *
 * @param proxyUrl base of the link: {@code https://proxy.example/path}, without query
 * @param endpoint path of the route, percent-encoded, appended to the base's; absent: the base as
 *     it is, whose path is then the route's
 * @param destination goes to {@code d}
 * @param queryParameters further parameters, in order
 * @param requestHeaders become {@code h_}; a name that has that prefix keeps it, here as in the
 *     next two; {@code Range} and {@code If-Range} are left out, and what has no value
 * @param responseHeaders become {@code r_}
 * @param inheritedHeaders become {@code rp_}
 * @param droppedHeaders become {@code x_headers}
 * @param filename appended to the path, not encoded; slashes stay
 * @param isDestinationBase64 whether {@code d} is written as base64url
 * @param lifetime of a sealed link; absent: for ever
 * @param clientAddress the only one that may use a sealed link
 */
public record LinkRequest(
    String proxyUrl,
    Optional<String> endpoint,
    Optional<String> destination,
    Map<String, String> queryParameters,
    Map<String, String> requestHeaders,
    Map<String, String> responseHeaders,
    Map<String, String> inheritedHeaders,
    List<String> droppedHeaders,
    Optional<String> filename,
    boolean isDestinationBase64,
    Optional<Duration> lifetime,
    Optional<String> clientAddress) {
  public LinkRequest {
    queryParameters = inOrder(queryParameters);
    requestHeaders = inOrder(requestHeaders);
    responseHeaders = inOrder(responseHeaders);
    inheritedHeaders = inOrder(inheritedHeaders);
    droppedHeaders = List.copyOf(droppedHeaders);
  }

  private static Map<String, String> inOrder(Map<String, String> map) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }

  /** Names only. */
  @Override
  public String toString() {
    return "LinkRequest[endpoint="
        + endpoint
        + ", queryParameters="
        + queryParameters.keySet()
        + ", requestHeaders="
        + requestHeaders.keySet()
        + "]";
  }
}
