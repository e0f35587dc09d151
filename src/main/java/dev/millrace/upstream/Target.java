package dev.millrace.upstream;

import static java.util.Objects.requireNonNull;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a request goes (RFC 3986 §3, RFC 9110 §4.2); the request target is kept byte for byte.
 *
 * <p>Signed URLs break when anybody decodes, encodes or tidies them, so this is not {@code
 * java.net.URI}: dot segments, empty segments, {@code |} and {@code {}} go out as they came. Only
 * what a request line cannot carry is changed (blanks and non-ASCII are percent-encoded once) or
 * refused (control characters, a {@code %} without two hexadecimal digits).
 *
 * @param scheme {@code http} or {@code https}
 * @param host lower-case ASCII name, dotted quad, or IPv6 address <em>without</em> brackets
 * @param port 1 to 65535
 * @param requestTarget path and query in origin form (RFC 9112 §3.2.1), begins with {@code /}
 * @param userInfo {@code user:password}, escapes decoded, for Basic authentication; a secret
 */
public record Target(
    String scheme, String host, int port, String requestTarget, Optional<String> userInfo) {
  /** Longest URL that is read, and longest request target that is sent, in characters. */
  public static final int MAX_LENGTH = 32_768;

  private static final Pattern SCHEME =
      Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):.*", Pattern.DOTALL);

  public Target {
    requireNonNull(scheme, "scheme");
    requireNonNull(host, "host");
    requireNonNull(userInfo, "userInfo");
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("port: " + port + " (expected: 1 to 65535)");
    }
    if (!requestTarget.startsWith("/")) {
      throw new IllegalArgumentException("request target does not begin with /");
    }
  }

  /**
   * Reads an absolute URL.
   *
   * @throws BadTargetException naming the part that is wrong, never the URL
   */
  public static Target parse(String url) throws BadTargetException {
    checkLength(url);
    Optional<String> written = schemeOf(url);
    String scheme = written.orElse("none").toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw new BadTargetException("scheme: " + shortened(scheme) + " (expected: http or https)");
    }
    int start = scheme.length() + 3;
    if (!url.startsWith("//", start - 2)) {
      throw new BadTargetException("host: missing (expected: // after the scheme)");
    }
    int end = indexOfAny(url, "/?#", start);
    return parse(scheme, url.substring(start, end), url.substring(end));
  }

  private static Target parse(String scheme, String authority, String rest)
      throws BadTargetException {
    int at = authority.lastIndexOf('@');
    Optional<String> userInfo =
        at > 0
            ? Optional.of(PercentEncoding.decoded(authority.substring(0, at)))
            : Optional.empty();
    String hostAndPort = authority.substring(at + 1);
    String host;
    int hostEnd;
    if (hostAndPort.startsWith("[")) {
      hostEnd = hostAndPort.indexOf(']') + 1;
      if (hostEnd == 0) {
        throw new BadTargetException("host: not an IPv6 address (expected: a closing bracket)");
      }
      host = HostName.ofIpv6(hostAndPort.substring(1, hostEnd - 1));
    } else {
      hostEnd = indexOfAny(hostAndPort, ":", 0);
      host = HostName.ofName(hostAndPort.substring(0, hostEnd));
    }
    int port = port(scheme, hostAndPort.substring(hostEnd));
    return new Target(scheme, host, port, originForm(rest), userInfo);
  }

  private static int port(String scheme, String colonAndPort) throws BadTargetException {
    if (colonAndPort.isEmpty() || colonAndPort.equals(":")) {
      return scheme.equals("http") ? 80 : 443;
    }
    if (colonAndPort.matches(":[0-9]{1,5}")) {
      int port = Integer.parseInt(colonAndPort.substring(1));
      if (port >= 1 && port <= 65_535) {
        return port;
      }
    }
    throw new BadTargetException("port: not a port (expected: 1 to 65535)");
  }

  private static String originForm(String rest) throws BadTargetException {
    String raw = withoutFragment(rest);
    String requestTarget = PercentEncoding.sendable(raw.startsWith("/") ? raw : "/" + raw);
    checkLength(requestTarget);
    return requestTarget;
  }

  /**
   * Where a redirect leads (RFC 3986 §5.2). Dot segments are removed from a path that had to be
   * merged with ours; a complete path is taken as it is. The credentials of this target stay with
   * its origin, unless the location brings its own.
   *
   * @param location an absolute URL or a relative reference
   * @throws BadTargetException as {@link #parse}
   */
  public Target resolve(String location) throws BadTargetException {
    checkLength(location);
    if (schemeOf(location).isPresent()) {
      return withCredentialsOfOrigin(parse(location));
    }
    if (location.startsWith("//")) {
      return withCredentialsOfOrigin(parse(scheme + ":" + location));
    }
    String reference = withoutFragment(location);
    String resolved;
    if (reference.isEmpty()) {
      resolved = requestTarget;
    } else if (reference.startsWith("?")) {
      resolved = path() + reference;
    } else if (reference.startsWith("/")) {
      resolved = reference;
    } else {
      int query = indexOfAny(reference, "?", 0);
      String merged =
          path().substring(0, path().lastIndexOf('/') + 1) + reference.substring(0, query);
      resolved = withoutDotSegments(merged) + reference.substring(query);
    }
    return new Target(scheme, host, port, originForm(resolved), userInfo);
  }

  private Target withCredentialsOfOrigin(Target next) {
    return next.userInfo.isEmpty() && sameOrigin(next)
        ? new Target(next.scheme, next.host, next.port, next.requestTarget, userInfo)
        : next;
  }

  /** RFC 3986 §5.2.4 for a path that begins with a slash; empty segments survive. */
  private static String withoutDotSegments(String path) {
    StringBuilder kept = new StringBuilder(path.length());
    int from = 0;
    while (from < path.length()) {
      int to = indexOfAny(path, "/", from + 1);
      String segment = path.substring(from, to);
      boolean isLast = to == path.length();
      if (segment.equals("/..")) {
        kept.setLength(Math.max(0, kept.lastIndexOf("/")));
      } else if (!segment.equals("/.")) {
        kept.append(segment);
      }
      if (isLast && (segment.equals("/..") || segment.equals("/."))) {
        kept.append('/');
      }
      from = to;
    }
    return kept.toString();
  }

  /**
   * Scheme, host and port with the port always written, {@code https://host:443}, IPv6 in brackets:
   * the key of gates and pools (RFC 6454 §6.2).
   */
  public String origin() {
    return scheme + "://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }

  /** The whole address, its credentials too: a secret. A port that goes without saying is not. */
  public String url() {
    boolean isUsual = port == (scheme.equals("http") ? 80 : 443);
    String authority = origin().substring(scheme.length() + 3);
    return scheme
        + "://"
        + userInfo.map(user -> PercentEncoding.userInfo(user) + "@").orElse("")
        + (isUsual ? authority.substring(0, authority.lastIndexOf(':')) : authority)
        + requestTarget;
  }

  public boolean sameOrigin(Target other) {
    return origin().equals(other.origin());
  }

  /** The request target without the query. */
  public String path() {
    return requestTarget.substring(0, indexOfAny(requestTarget, "?", 0));
  }

  /** For logs: credentials and query, which may hold a signature, are masked. */
  @Override
  public String toString() {
    String credentials = userInfo.isPresent() ? "***@" : "";
    String query = requestTarget.indexOf('?') < 0 ? "" : "?***";
    return origin().replaceFirst("://", "://" + credentials) + path() + query;
  }

  private static Optional<String> schemeOf(String reference) {
    Matcher matcher = SCHEME.matcher(reference);
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  private static String shortened(String scheme) {
    return scheme.length() <= 16 ? scheme : scheme.substring(0, 16) + "…";
  }

  private static String withoutFragment(String reference) {
    return reference.substring(0, indexOfAny(reference, "#", 0));
  }

  private static void checkLength(String text) throws BadTargetException {
    if (text.length() > MAX_LENGTH) {
      throw new BadTargetException("address: too long (expected: at most 32768 characters)");
    }
  }

  /** The first place of one of the characters, or the length of the text. */
  private static int indexOfAny(String text, String characters, int from) {
    int at = Math.min(from, text.length());
    while (at < text.length() && characters.indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return at;
  }
}
