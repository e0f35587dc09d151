package dev.millrace.proxy;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The routes: which paths are ours, who may call them, and whether this server serves them yet. */
public enum Endpoint {
  HOME(Access.OPEN, State.BUILT, "the home page", "/ /index.html"),
  ICON(Access.OPEN, State.BUILT, "an icon", "/favicon.ico"),
  HEALTH(Access.OPEN, State.BUILT, "health checks", "/health"),
  LIVE(Access.OPEN, State.BUILT, "health checks", "/health/live"),
  READY(Access.OPEN, State.BUILT, "health checks", "/health/ready"),
  METRICS(Access.OPERATOR, State.BUILT, "metrics", "/metrics"),
  SESSIONS(Access.OPERATOR, State.BUILT, "a list of sessions", "/sessions"),
  STREAM(Access.PASSWORD, State.BUILT, "streams", "/proxy/stream /proxy/stream/*"),
  HLS(Access.PASSWORD, State.NOT_BUILT, "HLS playlists", "/proxy/hls/*"),
  DASH(Access.PASSWORD, State.NOT_BUILT, "DASH manifests", "/proxy/mpd/*"),
  EPG(Access.PASSWORD, State.NOT_BUILT, "programme guides", "/proxy/epg"),
  IP(Access.PASSWORD, State.NOT_BUILT, "its public address", "/proxy/ip"),
  FORWARD(Access.PASSWORD, State.NOT_BUILT, "forwarding of requests", "/proxy/forward"),
  TRANSCODE(Access.PASSWORD, State.NOT_BUILT, "transcoding", "/proxy/transcode/*"),
  TELEGRAM(Access.PASSWORD, State.NOT_BUILT, "Telegram streams", "/proxy/telegram/*"),
  ACESTREAM(Access.PASSWORD, State.NOT_BUILT, "AceStream channels", "/proxy/acestream/*"),
  EXTRACTOR(Access.PASSWORD, State.NOT_BUILT, "site extractors", "/extractor/*"),
  PLAYLIST(Access.PASSWORD, State.NOT_BUILT, "merged playlists", "/playlist/*"),
  SPEED_TEST(Access.PASSWORD, State.NOT_BUILT, "speed tests", "/speedtest /speedtest/*"),
  GENERATE_URL(
      Access.OPEN,
      State.NOT_BUILT,
      "link generation",
      "/generate_url /generate_urls /generate_encrypted_or_encoded_url /proxy/generate_url"),
  BASE64(Access.OPEN, State.NOT_BUILT, "base64 conversion", "/base64/*"),
  XTREAM(
      Access.OPEN,
      State.NOT_BUILT,
      "Xtream accounts",
      "/player_api.php /panel_api.php /xmltv.php /get.php /live/* /movie/* /series/*"
          + " /timeshift/* /streaming/timeshift.php /hlsr/* /hls/*"),
  TOKEN(Access.OPEN, State.NOT_BUILT, "encrypted links", "/_token_*");

  private enum Access {
    OPEN,
    PASSWORD,
    /** What {@link AccessPolicy#checkOperator} says. */
    OPERATOR
  }

  private enum State {
    BUILT,
    NOT_BUILT
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
          .flatMap(e -> Arrays.stream(e.paths.split(" ", -1)).map(path -> Route.of(e, path)))
          .toList();
  private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");
  private static final Set<String> ANY = Set.of("GET", "HEAD", "OPTIONS", "POST");

  private final Access access;
  private final State state;
  private final String offer;
  private final String paths;

  /** Paths with blanks between; one that ends in an asterisk is the beginning of a path. */
  Endpoint(Access access, State state, String offer, String paths) {
    this.access = access;
    this.state = state;
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

  /** Whether it shows how the server is doing: {@link AccessPolicy#checkOperator}. */
  public boolean isForOperators() {
    return access == Access.OPERATOR;
  }

  /** What metrics, log and sessions call it: {@code stream}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it is served; if not, the answer is {@link NotOfferedException#route}. */
  public boolean isBuilt() {
    return state == State.BUILT;
  }

  /** Methods it answers; others get 405. */
  public Set<String> methods() {
    return isBuilt() ? READING : ANY;
  }

  /** What it offers, as in "does not offer …". */
  String offer() {
    return offer;
  }
}
