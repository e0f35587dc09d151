package dev.millrace.link;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a link is to ask for, before it is an address.
 *
 * @param proxyUrl base of the link: {@code https://proxy.example/path}
 * @param endpoint path of the route, appended to the base's; absent: the base as it is
 * @param destination goes to {@code d}
 * @param queryParameters further parameters, in order
 * @param requestHeaders become {@code h_}
 * @param responseHeaders become {@code r_}
 * @param inheritedHeaders become {@code rp_}
 * @param droppedHeaders become {@code x_headers}
 * @param filename appended to the path
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
    Optional<String> clientAddress) {}
