package dev.millrace.proxy;

import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.Header;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.Target;
import java.util.Set;

/**
 * What a request of {@code /proxy/forward} asks for, checked. Field names are in lower case, values
 * can be sent as they are.
 *
 * @param destination where the request goes ({@code d})
 * @param requestHeaders fields for the origin ({@code h_}), never about the client's address
 * @param responseHeaders fields of this response ({@code rp_}, and over them {@code r_})
 * @param droppedHeaders fields of the origin that are not handed back ({@code x_headers})
 */
public record ForwardParameters(
    Target destination,
    Headers requestHeaders,
    Headers responseHeaders,
    Set<String> droppedHeaders) {
  public ForwardParameters {
    droppedHeaders = Set.copyOf(droppedHeaders);
  }

  /**
   * Reads and checks everything before anything is sent.
   *
   * @throws ValidationException (422) if {@code d} is missing
   * @throws BadParameterException (400) if a value cannot be used
   */
  public static ForwardParameters parse(QueryParameters query, ProxyConfig config)
      throws ExchangeException {
    return new ForwardParameters(
        Destination.of(query),
        ProxyParameters.withReferer(
            HeaderParameters.of(
                query,
                "h_",
                name -> DeniedFields.inForwardedRequest(name, config.allowHostHeader()),
                ProxyParameters.MAX_REQUEST_HEADER_BYTES)),
        responseHeaders(query, "rp_").with(responseHeaders(query, "r_")),
        ProxyParameters.droppedHeaders(query));
  }

  private static Headers responseHeaders(QueryParameters query, String prefix)
      throws BadParameterException {
    return HeaderParameters.of(
        query, prefix, DeniedFields::inResponse, ProxyParameters.MAX_RESPONSE_HEADER_BYTES);
  }

  /** Without values: they hold credentials and signed addresses. */
  @Override
  public String toString() {
    return "ForwardParameters[destination="
        + destination.origin()
        + ", requestHeaders="
        + requestHeaders.lines().stream().map(Header::name).toList()
        + ", responseHeaders="
        + responseHeaders.lines().stream().map(Header::name).toList()
        + ", droppedHeaders="
        + droppedHeaders
        + "]";
  }
}
