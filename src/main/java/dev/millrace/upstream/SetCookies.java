package dev.millrace.upstream;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The cookies that the answers to one fetch have set, for the hops that follow and for what the
 * body leads to (RFC 6265 §5). Immutable; gone with the fetch or the links that carry them, so of
 * their lives only {@code Max-Age} of 0 or less matters. Secrets.
 *
 * <p>At most {@value #MAX_COOKIES}, and {@value #MAX_BYTES} bytes of names and values together;
 * what is beyond is not kept.
 *
 * @param cookies in the order in which they were set
 */
public record SetCookies(List<Cookie> cookies) {
  public static final SetCookies NONE = new SetCookies(List.of());
  public static final int MAX_COOKIES = 20;
  public static final int MAX_BYTES = 4 << 10;

  /** What may stand in a field, as one character per byte, without a semicolon. */
  private static final Pattern PAIR =
      Pattern.compile("[^\\x00-\\x1f\\x7f;=]+=[^\\x00-\\x1f\\x7f;]*");

  private static final String HOST_ONLY = "h";
  private static final String SECURE = "s";
  private static final int FIELDS = 5;
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|.*:.*");

  public SetCookies {
    cookies = List.copyOf(cookies);
  }

  /**
   * One cookie.
   *
   * @param domain lower case
   * @param isHostOnly whether hosts below {@code domain} do not get it
   */
  public record Cookie(
      String name,
      String value,
      String domain,
      boolean isHostOnly,
      String path,
      boolean isSecureOnly) {

    private int size() {
      return name.length() + value.length();
    }

    private boolean replaces(Cookie other) {
      return name.equals(other.name) && domain.equals(other.domain) && path.equals(other.path);
    }

    private boolean isFor(Target target) {
      String host = target.host();
      return (isHostOnly ? host.equals(domain) : isWithin(host, domain))
          && isPathMatch(target.path())
          && (!isSecureOnly || target.scheme().equals("https"));
    }

    /** RFC 6265 §5.1.4. */
    private boolean isPathMatch(String requested) {
      return requested.equals(path)
          || (requested.startsWith(path)
              && (path.endsWith("/") || requested.charAt(path.length()) == '/'));
    }

    /** Without its value. */
    @Override
    public String toString() {
      return "Cookie[" + name + " of " + domain + path + "]";
    }
  }

  /**
   * Reads what {@link #text} has written; what is not readable is left out, and so is what is
   * beyond the limits.
   */
  public static SetCookies parse(String text) {
    List<Cookie> all = new ArrayList<>();
    for (String line : text.split("\n", -1)) {
      String[] parts = line.split("\t", -1);
      if (parts.length == FIELDS && PAIR.matcher(parts[0] + "=" + parts[1]).matches()) {
        Cookie cookie =
            new Cookie(
                parts[0],
                parts[1],
                parts[2],
                parts[4].contains(HOST_ONLY),
                parts[3],
                parts[4].contains(SECURE));
        if (hasRoom(all, cookie)) {
          all.add(cookie);
        }
      }
    }
    return new SetCookies(all);
  }

  /** All of it, to be carried in what is sealed: one line for each, tabs between its parts. */
  public String text() {
    return cookies.stream()
        .map(
            cookie ->
                String.join(
                    "\t",
                    cookie.name,
                    cookie.value,
                    cookie.domain,
                    cookie.path,
                    (cookie.isHostOnly ? HOST_ONLY : "") + (cookie.isSecureOnly ? SECURE : "")))
        .collect(Collectors.joining("\n"));
  }

  public boolean isEmpty() {
    return cookies.isEmpty();
  }

  /** These, and those, which replace what they are newer than. */
  public SetCookies and(SetCookies newer) {
    List<Cookie> all = new ArrayList<>(cookies);
    for (Cookie cookie : newer.cookies) {
      all.removeIf(cookie::replaces);
      if (hasRoom(all, cookie)) {
        all.add(cookie);
      }
    }
    return new SetCookies(all);
  }

  /** These, and those that an answer from {@code target} sets. */
  SetCookies and(Target target, Headers answer) {
    List<Cookie> all = new ArrayList<>(cookies);
    for (Header line : answer) {
      if (line.is("Set-Cookie")) {
        String[] parts = line.value().split(";", -1);
        read(target, parts)
            .ifPresent(
                cookie -> {
                  all.removeIf(cookie::replaces);
                  if (!isExpired(parts) && hasRoom(all, cookie)) {
                    all.add(cookie);
                  }
                });
      }
    }
    return new SetCookies(all);
  }

  private static boolean hasRoom(List<Cookie> all, Cookie further) {
    int bytes = further.size() + all.stream().mapToInt(Cookie::size).sum();
    return all.size() < MAX_COOKIES && bytes <= MAX_BYTES;
  }

  /** RFC 6265 §5.2, §5.3. */
  private static Optional<Cookie> read(Target target, String[] parts) {
    String pair = parts[0].strip();
    if (!PAIR.matcher(pair).matches()) {
      return Optional.empty();
    }
    int equals = pair.indexOf('=');
    String host = target.host();
    String domain = attribute(parts, "domain").orElse("").toLowerCase(Locale.ROOT);
    domain = domain.startsWith(".") ? domain.substring(1) : domain;
    if (domain.indexOf('\t') >= 0) {
      return Optional.empty();
    }
    boolean isOwn = domain.isEmpty() || domain.equals(host);
    if (!isOwn && (!isWithin(host, domain) || domain.indexOf('.') < 0)) {
      return Optional.empty();
    }
    return Optional.of(
        new Cookie(
            pair.substring(0, equals).strip(),
            pair.substring(equals + 1).strip(),
            isOwn ? host : domain,
            domain.isEmpty(),
            attribute(parts, "path")
                .filter(p -> p.startsWith("/") && p.indexOf('\t') < 0)
                .orElse(defaultPath(target)),
            Stream.of(parts).skip(1).anyMatch(part -> part.strip().equalsIgnoreCase("secure"))));
  }

  private static boolean isExpired(String[] parts) {
    return attribute(parts, "max-age").filter(age -> age.matches("-\\d+|0+")).isPresent();
  }

  /** The last of that name (RFC 6265 §5.3). */
  private static Optional<String> attribute(String[] parts, String name) {
    return Stream.of(parts)
        .skip(1)
        .map(part -> part.split("=", 2))
        .filter(pair -> pair.length == 2 && pair[0].strip().equalsIgnoreCase(name))
        .map(pair -> pair[1].strip())
        .reduce((earlier, later) -> later);
  }

  /** RFC 6265 §5.1.3: addresses have no domains. */
  private static boolean isWithin(String host, String domain) {
    return host.equals(domain) || (host.endsWith("." + domain) && !ADDRESS.matcher(host).matches());
  }

  /** RFC 6265 §5.1.4: up to the last slash. */
  private static String defaultPath(Target target) {
    int slash = target.path().lastIndexOf('/');
    return slash <= 0 ? "/" : target.path().substring(0, slash);
  }

  /**
   * The value of {@code Cookie} for a request to {@code target}.
   *
   * @param given that value without these; of a name in both, only the one set on the way is sent
   */
  public Optional<String> fieldFor(Target target, Optional<String> given) {
    List<Cookie> sent = cookies.stream().filter(cookie -> cookie.isFor(target)).toList();
    if (sent.isEmpty()) {
      return given;
    }
    Stream<String> kept =
        given.stream()
            .flatMap(value -> Stream.of(value.split(";", -1)))
            .map(String::strip)
            .filter(pair -> !pair.isEmpty())
            .filter(pair -> sent.stream().noneMatch(c -> pair.startsWith(c.name() + "=")));
    Stream<String> set = sent.stream().map(cookie -> cookie.name() + "=" + cookie.value());
    return Optional.of(Stream.concat(kept, set).collect(Collectors.joining("; ")));
  }
}
