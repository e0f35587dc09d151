package dev.millrace.proxy;

import dev.millrace.upstream.UpstreamHead;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The {@code Content-Type} of a response: what parameters say, else what the origin says, repaired
 * from the name or the first bytes if it says nothing. Types that a browser would run as a page or
 * a script are relabelled, whoever set them.
 */
public final class MediaTypes {
  static final String UNKNOWN = "application/octet-stream";
  private static final Set<String> NOTHING_SAID =
      Set.of("", UNKNOWN, "binary/octet-stream", "application/x-octet-stream", "unknown/unknown");

  /** Pages, what holds pages, and XML that can become one (by style sheet or name space). */
  private static final Set<String> ACTIVE =
      Set.of(
          "application/hta",
          "application/signed-exchange",
          "application/x-mimearchive",
          "application/xml",
          "message/rfc822",
          "text/cache-manifest",
          "text/html",
          "text/xml",
          "text/xsl");

  /** Browsers show any other XML too (MIME Sniffing §4.6), and with it what it holds of XHTML. */
  private static final Set<String> MEDIA_XML =
      Set.of(
          MediaType.DASH.text(),
          MediaType.TTML.text(),
          "application/smil+xml",
          "application/xspf+xml");

  private static final List<String> SCRIPT =
      List.of("javascript", "ecmascript", "jscript", "livescript");

  private MediaTypes() {}

  /**
   * Whether the type can only be told from the body, so that headers wait for its first bytes (377
   * or all there are settle every kind).
   */
  public static boolean needsFirstBytes(
      ProxyParameters parameters, RangeRequest range, UpstreamHead head) {
    boolean startsAtZero =
        head.status() == 200
            || (head.status() == 206
                && range.range().orElse(ByteRange.ALL).first().orElse(-1) == 0);
    return startsAtZero
        && !head.headers().has("content-encoding")
        && override(parameters).isEmpty()
        && promised(parameters).isEmpty()
        && isNothingSaid(originType(parameters, head))
        && ofNames(parameters, head).isEmpty();
  }

  /** Whether a body is sound or pictures, by its first bytes or by what its origin calls it. */
  public static boolean isMedia(UpstreamHead head, ByteBuffer firstBytes) {
    String type = essence(head.headers().first("content-type").orElse(""));
    boolean isCalledSo = type.startsWith("video/") || type.startsWith("audio/");
    return MediaSignature.of(firstBytes).isPresent() || (isCalledSo && !type.contains("mpegurl"));
  }

  /** Absent if nothing is known. */
  static Optional<String> responseType(
      ProxyParameters parameters, UpstreamHead head, Optional<ByteBuffer> firstBytes) {
    Optional<String> override = override(parameters);
    if (override.isPresent()) {
      return Optional.of(harmless(override.get(), Optional.empty()));
    }
    String given = originType(parameters, head);
    Optional<String> promised = promised(parameters);
    if (promised.isPresent() && isNoneOfSegment(given)) {
      return promised;
    }
    Optional<MediaType> named = ofNames(parameters, head);
    if (!isNothingSaid(given)) {
      return Optional.of(harmless(given, named));
    }
    return named
        .or(() -> firstBytes.flatMap(MediaSignature::of))
        .map(MediaType::text)
        .or(() -> Optional.of(UNKNOWN));
  }

  private static Optional<String> override(ProxyParameters parameters) {
    return parameters
        .responseHeaders()
        .first("content-type")
        .or(() -> parameters.inheritedHeaders().first("content-type"));
  }

  private static String originType(ProxyParameters parameters, UpstreamHead head) {
    return parameters.droppedHeaders().contains("content-type")
        ? ""
        : head.headers().first("content-type").filter(FieldSyntax::isValue).orElse("");
  }

  private static Optional<String> promised(ProxyParameters parameters) {
    return parameters.segmentEnding().flatMap(SegmentType::ofEnding);
  }

  /** Nothing, or what segments are labelled as to hide them. */
  private static boolean isNoneOfSegment(String type) {
    String essence = essence(type);
    boolean isText = essence.startsWith("text/") && !essence.equals(MediaType.WEBVTT.text());
    return isNothingSaid(type) || isText || essence.startsWith("image/") || isActive(essence);
  }

  private static boolean isNothingSaid(String type) {
    return NOTHING_SAID.contains(essence(type));
  }

  /** The given filename, else the path that delivered the body, else the one that was asked. */
  private static Optional<MediaType> ofNames(ProxyParameters parameters, UpstreamHead head) {
    return Stream.of(
            parameters.filename().orElse(""), head.target().path(), parameters.destination().path())
        .map(MediaType::ofName)
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** The same type, or another if a browser would run what is labelled so. */
  static String harmless(String type) {
    return harmless(type, Optional.empty());
  }

  /** A manifest or subtitle that is labelled as plain XML keeps its own name. */
  private static String harmless(String type, Optional<MediaType> named) {
    String essence = essence(type);
    if (!isActive(essence)) {
      return type;
    }
    boolean isXml = essence.equals("text/xml") || essence.equals("application/xml");
    return named
        .filter(n -> isXml && (n == MediaType.DASH || n == MediaType.TTML))
        .map(MediaType::text)
        .orElse(UNKNOWN);
  }

  /** What is no media type at all might be read as any: browsers take the last of a list. */
  private static boolean isActive(String essence) {
    int slash = essence.indexOf('/');
    boolean isType =
        slash > 0
            && FieldSyntax.isToken(essence.substring(0, slash))
            && FieldSyntax.isToken(essence.substring(slash + 1));
    return !isType
        || ACTIVE.contains(essence)
        || (essence.endsWith("+xml") && !MEDIA_XML.contains(essence))
        || essence.startsWith("multipart/") // its parts have types of their own
        || SCRIPT.stream().anyMatch(essence::contains);
  }

  /** Type and subtype in lower case, without parameters. */
  private static String essence(String type) {
    int semicolon = type.indexOf(';');
    return (semicolon < 0 ? type : type.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
  }
}
