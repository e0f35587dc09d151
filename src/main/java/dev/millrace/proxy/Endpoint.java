package dev.millrace.proxy;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The routes: which paths are ours, who may call them, and by which methods. */
public enum Endpoint {
  HOME(Access.OPEN, Methods.READ, "the home page", "/ /index.html"),
  ICON(Access.OPEN, Methods.READ, "an icon", "/favicon.ico"),
  HEALTH(Access.OPEN, Methods.READ, "health checks", "/health"),
  LIVE(Access.OPEN, Methods.READ, "health checks", "/health/live"),
  READY(Access.OPEN, Methods.READ, "health checks", "/health/ready"),
  DOCS(
      Access.OPEN,
      Methods.READ,
      "a description of its interface",
      "/docs /docs/oauth2-redirect /redoc /openapi*"),
  METRICS(Access.OPERATOR, Methods.READ, "metrics", "/metrics"),
  SESSIONS(Access.OPERATOR, Methods.READ, "a list of sessions", "/sessions"),
  STREAM(Access.PASSWORD, Methods.READ, "streams", "/proxy/stream /proxy/stream/*"),
  HLS(Access.PASSWORD, Methods.READ, "HLS playlists", "/proxy/hls/*"),
  DASH(Access.PASSWORD, Methods.READ, "DASH manifests", "/proxy/mpd/*"),
  EPG(Access.PASSWORD, Methods.READ, "programme guides", "/proxy/epg"),
  IP(Access.PASSWORD, Methods.READ, "its public address", "/proxy/ip"),
  FORWARD(Access.PASSWORD, Methods.ANY, "forwarding of requests", "/proxy/forward"),
  TRANSCODE(Access.PASSWORD, Methods.READ, "transcoding", "/proxy/transcode/*"),
  TELEGRAM(Access.PASSWORD, Methods.READ, "Telegram streams", "/proxy/telegram/*"),
  ACESTREAM(Access.PASSWORD, Methods.READ, "AceStream channels", "/proxy/acestream/*"),
  EXTRACTOR(Access.PASSWORD, Methods.READ, "site extractors", "/extractor/*"),
  PLAYLIST(Access.PASSWORD, Methods.READ, "merged playlists", "/playlist/*"),
  SPEED_TEST(Access.PASSWORD, Methods.READ_OR_SEND, "speed tests", "/speedtest/*"),
  SPEED_TEST_PAGE(Access.OPEN, Methods.READ, "speed tests", "/speedtest*"),
  GENERATE_URL(Access.OPEN, Methods.SEND, "link generation", "/generate_url /proxy/generate_url"),
  GENERATE_URLS(
      Access.OPEN, Methods.SEND, "link generation", "/generate_urls /proxy/generate_urls"),
  GENERATE_ENCODED_URL(
      Access.OPEN,
      Methods.SEND,
      "link generation",
      "/generate_encrypted_or_encoded_url /proxy/generate_encrypted_or_encoded_url"),
  BASE64_ENCODE(Access.OPEN, Methods.SEND, "base64 conversion", "/base64/encode"),
  BASE64_DECODE(Access.OPEN, Methods.SEND, "base64 conversion", "/base64/decode"),
  BASE64_CHECK(Access.OPEN, Methods.READ, "base64 conversion", "/base64/check"),
  XTREAM(
      Access.OPEN,
      Methods.READ,
      "Xtream accounts",
      "/player_api.php /panel_api.php /xmltv.php /get.php /live/* /movie/* /series/*"
          + " /timeshift/* /streaming/timeshift.php /hlsr/*"),
  XTREAM_HLS(Access.PASSWORD, Methods.READ, "Xtream accounts", "/hls/*");

  private enum Access {
    OPEN,
    PASSWORD,
    /** The password opens it, no link does; without one only callers on this machine see it. */
    OPERATOR
  }

  private enum Methods {
    READ,
    SEND,
    READ_OR_SEND,
    /** All but those that concern the connection itself: CONNECT and TRACE. */
    ANY
  }

  private record Route(Endpoint endpoint, String fixed, boolean isBeginning) {
    static Route of(Endpoint endpoint, String pattern) {
      String fixed = pattern.replace("*", "");
      return new Route(endpoint, fixed, !fixed.equals(pattern));
    }

    boolean takes(String path) {
      return isBeginning ? path.startsWith(fixed) : path.equals(fixed);
    }
  }

  private static final List<Route> ROUTES =
      Arrays.stream(values())
          .flatMap(e -> e.paths().stream().map(path -> Route.of(e, path)))
          .toList();

  private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");
  private static final Set<String> SENDING = Set.of("POST", "OPTIONS");
  private static final Set<String> READING_OR_SENDING = Set.of("GET", "HEAD", "POST", "OPTIONS");
  private static final Set<String> EVERY =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

  private final Access access;
  private final Methods methods;
  private final String offer;
  private final String paths;

  /** Paths with blanks between; one that ends in an asterisk is the beginning of a path. */
  Endpoint(Access access, Methods methods, String offer, String paths) {
    this.access = access;
    this.methods = methods;
    this.offer = offer;
    this.paths = paths;
  }

  /**
   * A path of ours.
   *
   * @param suffix decoded, what follows the fixed part; empty if nothing
   */
  public record Match(Endpoint endpoint, String suffix) {}

  /**
   * Finds the route of a path.
   *
   * @param rawPath the path of the request target within our context, with its escapes and
   *     semicolons: these belong to file names here
   * @return absent if it is none of ours (404)
   */
  public static Optional<Match> match(String rawPath) {
    String path = PercentDecoding.decodePath(rawPath);
    return ROUTES.stream()
        .filter(route -> route.takes(path))
        .findFirst()
        .map(route -> new Match(route.endpoint, path.substring(route.fixed.length())));
  }

  /** Whether the caller must name the password; otherwise never asked. */
  public boolean needsPassword() {
    return access == Access.PASSWORD;
  }

  /** Whether it shows how the server is doing: the password opens it, no link does. */
  public boolean isForOperators() {
    return access == Access.OPERATOR;
  }

  /** Its paths; one that ends in an asterisk is the beginning of one. */
  public List<String> paths() {
    return List.of(paths.split(" ", -1));
  }

  /** What metrics, log and sessions call it: {@code stream}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Methods it answers; others get 405. */
  public Set<String> methods() {
    return switch (methods) {
      case READ -> READING;
      case SEND -> SENDING;
      case READ_OR_SEND -> READING_OR_SENDING;
      case ANY -> EVERY;
    };
  }

  /**
   * Whether {@code OPTIONS} is for the route itself; for others it is answered with {@code Allow}.
   */
  public boolean answersOptions() {
    return methods == Methods.ANY;
  }

  /** What it offers, as in "does not offer …". */
  String offer() {
    return offer;
  }
}
