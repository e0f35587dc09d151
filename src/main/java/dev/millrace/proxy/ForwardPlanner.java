package dev.millrace.proxy;

import dev.millrace.upstream.Header;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.UpstreamHead;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How an origin's answer is handed back by {@code /proxy/forward}: its status and fields as they
 * are, less what concerns the connection (RFC 9110 §7.6.1) and what would act on a browser with the
 * rights of our own origin.
 */
public final class ForwardPlanner {
  /** No Content and Not Modified have no body (RFC 9110 §15.3.5, §15.4.5). */
  private static final Set<Integer> NO_BODY = Set.of(204, 304);

  private ForwardPlanner() {}

  /**
   * Plans the response.
   *
   * @param isForBrowser whether a browser asks, which would keep cookies for this server's name,
   *     and ask its user for a password in it
   * @throws OriginAnswerException (502) if its status cannot be handed back
   */
  public static ResponsePlan plan(
      ForwardParameters parameters, UpstreamHead head, boolean isForBrowser)
      throws OriginAnswerException {
    if (head.status() < 200 || head.status() > 599) {
      throw OriginAnswerException.badStatus();
    }
    Set<String> ofConnection = ofConnection(head.headers());
    List<Header> lines = new ArrayList<>();
    for (Header line : head.headers()) {
      String name = line.name().toLowerCase(Locale.ROOT);
      boolean isDenied =
          DeniedFields.inForwardedResponse(name)
              || ofConnection.contains(name)
              || parameters.droppedHeaders().contains(name)
              || (isForBrowser && DeniedFields.inForwardedToBrowser(name));
      if (!isDenied && FieldSyntax.isToken(name) && FieldSyntax.isValue(line.value())) {
        lines.add(line);
      }
    }
    Headers own = new Headers(lines).with(ResponsePlan.SAFETY);
    String caching =
        lines.stream()
            .filter(line -> line.is("Cache-Control"))
            .map(Header::value)
            .collect(Collectors.joining(","));
    Headers planned =
        own.with("Cache-Control", CacheControl.forViewer(caching))
            .with(parameters.responseHeaders());
    Optional<String> type = planned.first("Content-Type").map(MediaTypes::harmless);
    if (type.isPresent() || hasBody(head)) {
      planned = planned.with("Content-Type", type.orElse(MediaTypes.UNKNOWN));
    }
    return new ResponsePlan(head.status(), planned, length(parameters, head));
  }

  /** What the origin's {@code Connection} names belongs to that connection. */
  private static Set<String> ofConnection(Headers headers) {
    return headers.lines().stream()
        .filter(line -> line.is("Connection"))
        .flatMap(line -> Arrays.stream(line.value().split(",", -1)))
        .map(name -> name.strip().toLowerCase(Locale.ROOT))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static boolean hasBody(UpstreamHead head) {
    return !NO_BODY.contains(head.status()) && head.contentLength().orElse(-1) != 0;
  }

  private static OptionalLong length(ForwardParameters parameters, UpstreamHead head) {
    return NO_BODY.contains(head.status()) || parameters.droppedHeaders().contains("content-length")
        ? OptionalLong.empty()
        : head.contentLength();
  }
}
