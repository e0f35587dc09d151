package dev.millrace.proxy;

import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.Header;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.UpstreamHead;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The range and status matrix of {@code /proxy/stream}: an origin's answer becomes the response's
 * status and fields. The same for GET and HEAD.
 */
public final class StreamPlanner {
  /** What an origin may tell the client, with the spelling that we send. */
  private static final Map<String, String> PASSED =
      Map.of(
          "cache-control", "Cache-Control",
          "content-encoding", "Content-Encoding",
          "etag", "ETag",
          "expires", "Expires",
          "last-modified", "Last-Modified");

  private StreamPlanner() {}

  /**
   * Plans the response to an answer that came for {@code range}.
   *
   * @param range what the client asked for; the same that {@link HeaderPolicy#toUpstream} was given
   * @param head with the fields that describe the body as it will be relayed: of a body that was
   *     decoded on the way neither {@code Content-Encoding} nor {@code Content-Length}
   * @param firstBytes of the body, untouched by the call; absent for HEAD, or if {@link
   *     MediaTypes#needsFirstBytes} says no
   * @throws OriginStatusException if the origin refused
   * @throws OriginAnswerException if its answer makes no sense (502)
   */
  public static ResponsePlan plan(
      ProxyParameters parameters,
      RangeRequest range,
      UpstreamHead head,
      Optional<ByteBuffer> firstBytes)
      throws ExchangeException {
    if (head.status() < 200 || head.status() >= 300) {
      throw OriginStatusException.of(head);
    }
    BodyPart part = BodyPart.of(head, range);
    boolean hidesRange = parameters.droppedHeaders().contains("content-range");
    int status = part.status() == 206 && hidesRange ? 200 : part.status();
    List<Header> lines = new ArrayList<>(ResponsePlan.SAFETY.lines());
    if (status != 204 && status != 205) {
      MediaTypes.responseType(parameters, head, firstBytes)
          .ifPresent(type -> lines.add(new Header("Content-Type", type)));
    }
    acceptRanges(parameters, head, part)
        .ifPresent(value -> lines.add(new Header("Accept-Ranges", value)));
    if (status == 206) {
      part.range().ifPresent(sent -> lines.add(new Header("Content-Range", sent.fieldValue())));
    }
    addPassed(parameters, head, lines);
    Headers own = new Headers(lines);
    String caching = CacheControl.forViewer(own.first("Cache-Control").orElse(""));
    Headers planned = withOverrides(parameters, own.with("Cache-Control", caching));
    return new ResponsePlan(status, playable(planned), length(parameters, part));
  }

  /** A browser that is sent to a film plays it in a page of its own, which must be let load it. */
  private static Headers playable(Headers planned) {
    String type = planned.first("content-type").orElse("");
    return type.startsWith("video/") || type.startsWith("audio/")
        ? planned.with("Content-Security-Policy", ResponsePlan.MEDIA_POLICY)
        : planned;
  }

  /** A 206 proves {@code bytes}; a 200 may say so or deny it; anything else it says is noise. */
  private static Optional<String> acceptRanges(
      ProxyParameters parameters, UpstreamHead head, BodyPart part) {
    if (part.isSeekable()) {
      return Optional.of("bytes");
    }
    if (parameters.droppedHeaders().contains("accept-ranges")) {
      return Optional.empty();
    }
    return head.headers()
        .first("accept-ranges")
        .map(value -> value.strip().toLowerCase(Locale.ROOT).equals("none") ? "none" : "bytes");
  }

  private static void addPassed(ProxyParameters parameters, UpstreamHead head, List<Header> lines) {
    for (Header line : head.headers()) {
      String name = line.name().toLowerCase(Locale.ROOT);
      String spelling = PASSED.get(name);
      boolean isDropped =
          parameters.droppedHeaders().contains(name) && !name.equals("content-encoding");
      if (spelling != null && !isDropped && FieldSyntax.isValue(line.value())) {
        lines.removeIf(earlier -> earlier.is(spelling));
        lines.add(new Header(spelling, line.value()));
      }
    }
  }

  private static Headers withOverrides(ProxyParameters parameters, Headers planned) {
    Headers headers = planned;
    for (Headers overrides : List.of(parameters.inheritedHeaders(), parameters.responseHeaders())) {
      for (Header line : overrides) {
        headers = line.is("content-type") ? headers : headers.with(line.name(), line.value());
      }
    }
    return parameters.filename().isPresent()
        ? headers.with(
            "Content-Disposition", ContentDisposition.attachment(parameters.filename().get()))
        : headers;
  }

  private static OptionalLong length(ProxyParameters parameters, BodyPart part) {
    return switch (part.status()) {
      case 204 -> OptionalLong.empty();
      case 205 -> OptionalLong.of(0);
      default ->
          parameters.droppedHeaders().contains("content-length")
              ? OptionalLong.empty()
              : part.length();
    };
  }
}
