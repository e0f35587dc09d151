package dev.millrace.proxy;

import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.Header;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.Target;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a request of {@code /proxy/stream} or {@code /proxy/hls/segment.…} asks for, checked. Field
 * names are in lower case, values can be sent as they are.
 *
 * @param destination where the body comes from ({@code d})
 * @param fallbacks further sources of the same body ({@code fallback=}), in order
 * @param isLive whether the body has no end of its own ({@code live})
 * @param requestHeaders fields for the origin ({@code h_})
 * @param responseHeaders fields of this response ({@code r_})
 * @param inheritedHeaders fields of this response and of those its links lead to ({@code rp_})
 * @param droppedHeaders fields of the origin that are not passed on ({@code x_headers})
 * @param filename what the client may call the body, not yet encoded; one path segment
 * @param transformer id of a body filter
 * @param segmentEnding what the link of a segment ends in, without the dot; absent: no segment
 * @param isPart whether a segment is a part of one, which there may not be yet ({@code part})
 */
public record ProxyParameters(
    Target destination,
    List<Target> fallbacks,
    boolean isLive,
    Headers requestHeaders,
    Headers responseHeaders,
    Headers inheritedHeaders,
    Set<String> droppedHeaders,
    Optional<String> filename,
    Optional<String> transformer,
    Optional<String> segmentEnding,
    boolean isPart) {
  /** Names and values of all {@code h_} together. */
  public static final int MAX_REQUEST_HEADER_BYTES = 16 << 10;

  /** Names and values of all {@code r_}, and again of all {@code rp_}. */
  public static final int MAX_RESPONSE_HEADER_BYTES = 4 << 10;

  /** The filename in UTF-8. */
  public static final int MAX_FILENAME_BYTES = 1 << 10;

  private static final Set<String> TRUE = Set.of("1", "true", "t", "yes", "y", "on");
  private static final Set<String> FALSE = Set.of("0", "false", "f", "no", "n", "off");

  public ProxyParameters {
    fallbacks = List.copyOf(fallbacks);
    droppedHeaders = Set.copyOf(droppedHeaders);
  }

  /**
   * Reads and checks everything before anything is sent.
   *
   * @param pathSuffix what follows the route in the path, decoded; empty if nothing
   * @throws ValidationException (422) if {@code d} is missing or a switch or number is none
   * @throws BadParameterException (400) if a value cannot be used
   * @throws NotOfferedException (503) if transcoding is asked for
   */
  public static ProxyParameters parse(QueryParameters query, String pathSuffix, ProxyConfig config)
      throws ExchangeException {
    Target destination = Destination.of(query);
    refuseTranscoding(query);
    return of(
        query,
        destination,
        Destination.fallbacksOf(query),
        isOn(query, "live"),
        filename(query, pathSuffix),
        Optional.empty(),
        false,
        config);
  }

  /**
   * The same for a segment: it has one source, an end, and no name of its own.
   *
   * @param ending of its link, without the dot
   * @throws ValidationException (422) if neither {@code d} nor {@code destination} is there
   * @throws BadParameterException (400) if a value cannot be used
   */
  public static ProxyParameters ofSegment(QueryParameters query, String ending, ProxyConfig config)
      throws ExchangeException {
    return of(
        query,
        Destination.ofHls(query),
        List.of(),
        false,
        Optional.empty(),
        Optional.of(ending),
        isOn(query, ChildLinks.PART),
        config);
  }

  /**
   * The same for media of a presentation, whose address stands in a parameter of its own.
   *
   * @throws BadParameterException (400) if a field cannot be used
   */
  static ProxyParameters ofMedia(QueryParameters query, Target address, ProxyConfig config)
      throws BadParameterException {
    return of(query, address, List.of(), false, Optional.empty(), Optional.empty(), false, config);
  }

  private static ProxyParameters of(
      QueryParameters query,
      Target destination,
      List<Target> fallbacks,
      boolean isLive,
      Optional<String> filename,
      Optional<String> segmentEnding,
      boolean isPart,
      ProxyConfig config)
      throws BadParameterException {
    return new ProxyParameters(
        destination,
        fallbacks,
        isLive,
        requestHeaders(query, config),
        HeaderParameters.of(query, "r_", DeniedFields::inResponse, MAX_RESPONSE_HEADER_BYTES),
        HeaderParameters.of(query, "rp_", DeniedFields::inResponse, MAX_RESPONSE_HEADER_BYTES),
        droppedHeaders(query),
        filename,
        query.value("transformer").filter(id -> !id.isEmpty()),
        segmentEnding,
        isPart);
  }

  /** Another body, asked for with the same fields. */
  public ProxyParameters to(Target other) {
    return new ProxyParameters(
        other,
        List.of(),
        false,
        requestHeaders,
        responseHeaders,
        inheritedHeaders,
        droppedHeaders,
        filename,
        transformer,
        segmentEnding,
        false);
  }

  private static void refuseTranscoding(QueryParameters query) throws ExchangeException {
    Optional<String> wanted = query.value("transcode");
    if (wanted.isEmpty() || !isTrue("transcode", wanted.get())) {
      return;
    }
    Optional<String> start = query.value("start");
    if (start.isPresent() && !isNumber(start.get())) {
      throw ValidationException.notNumber("start", start.get());
    }
    throw NotOfferedException.transcoding();
  }

  private static boolean isOn(QueryParameters query, String name) throws ValidationException {
    String value = query.value(name).orElse("");
    return !value.isEmpty() && isTrue(name, value);
  }

  /** The values of switches: {@code 1 true t yes y on} and their opposites, in any case. */
  static boolean isTrue(String name, String value) throws ValidationException {
    String lower = value.toLowerCase(Locale.ROOT);
    if (!TRUE.contains(lower) && !FALSE.contains(lower)) {
      throw ValidationException.notBoolean(name, value);
    }
    return TRUE.contains(lower);
  }

  static boolean isNumber(String value) {
    return value.matches("[+-]?(\\d{1,18}(\\.\\d{0,18})?|\\.\\d{1,18})");
  }

  private static Headers requestHeaders(QueryParameters query, ProxyConfig config)
      throws BadParameterException {
    Headers given =
        HeaderParameters.of(
            query,
            "h_",
            name -> DeniedFields.inRequest(name, config.allowHostHeader()),
            MAX_REQUEST_HEADER_BYTES);
    return withReferer(given);
  }

  /** Clients spell it as English does, and not as HTTP. */
  static Headers withReferer(Headers given) {
    Optional<String> misspelt = given.first("referrer");
    if (misspelt.isEmpty()) {
      return given;
    }
    Headers rest = given.without("referrer");
    return rest.has("referer") ? rest : rest.with("referer", misspelt.get());
  }

  ProxyParameters withRequestHeaders(Headers others) {
    return new ProxyParameters(
        destination,
        fallbacks,
        isLive,
        others,
        responseHeaders,
        inheritedHeaders,
        droppedHeaders,
        filename,
        transformer,
        segmentEnding,
        isPart);
  }

  static Set<String> droppedHeaders(QueryParameters query) {
    return Arrays.stream(query.value("x_headers").orElse("").split(",", -1))
        .map(name -> name.strip().toLowerCase(Locale.ROOT))
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Optional<String> filename(QueryParameters query, String pathSuffix)
      throws BadParameterException {
    String inPath = lastSegment(pathSuffix);
    String name = inPath.isEmpty() ? lastSegment(query.value("filename").orElse("")) : inPath;
    if (FieldSyntax.onTheWire(name).length() > MAX_FILENAME_BYTES) {
      throw new BadParameterException(
          "filename", "too long (expected: at most " + MAX_FILENAME_BYTES + " bytes)");
    }
    return Optional.of(name).filter(n -> !n.isBlank() && !n.equals(".") && !n.equals(".."));
  }

  private static String lastSegment(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Without values: they hold credentials and signed addresses. */
  @Override
  public String toString() {
    return "ProxyParameters[destination="
        + destination.origin()
        + ", fallbacks="
        + fallbacks.stream().map(Target::origin).toList()
        + ", isLive="
        + isLive
        + ", requestHeaders="
        + names(requestHeaders)
        + ", responseHeaders="
        + names(responseHeaders)
        + ", inheritedHeaders="
        + names(inheritedHeaders)
        + ", droppedHeaders="
        + droppedHeaders
        + "]";
  }

  private static List<String> names(Headers headers) {
    return headers.lines().stream().map(Header::name).toList();
  }
}
