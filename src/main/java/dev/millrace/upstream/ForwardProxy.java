package dev.millrace.upstream;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A proxy that requests go through by the operator's choice (RFC 9110 §3.7).
 *
 * @param host as {@link Target#host}
 * @param port 1 to 65535
 * @param credentials what it is told of us, and nobody else
 */
record ForwardProxy(Protocol protocol, String host, int port, Optional<Credentials> credentials) {
  /** How it is spoken to, and who looks names up. */
  enum Protocol {
    /** HTTP/1.1: absolute form, or CONNECT to origins with TLS. The proxy looks names up. */
    HTTP(80, true),
    /** The same over TLS. */
    HTTPS(443, true),
    /** SOCKS 4: IPv4 addresses only, looked up here. */
    SOCKS4(1080, false),
    /** SOCKS 4A: the proxy looks names up. */
    SOCKS4A(1080, true),
    /** SOCKS 5 (RFC 1928), names looked up here. */
    SOCKS5(1080, false),
    /** SOCKS 5, the proxy looks names up. */
    SOCKS5H(1080, true);

    private final int defaultPort;
    private final boolean resolvesNames;

    Protocol(int defaultPort, boolean resolvesNames) {
      this.defaultPort = defaultPort;
      this.resolvesNames = resolvesNames;
    }

    private String scheme() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** User and password, escapes decoded. */
  record Credentials(String user, String password) {
    @Override
    public String toString() {
      return "***";
    }
  }

  /** Of each of user and password in SOCKS 5 (RFC 1929 §2), kept for the others too. */
  private static final int MAX_CREDENTIAL_BYTES = 255;

  private static final Pattern URL = Pattern.compile("([A-Za-z][A-Za-z0-9]*)://([^/?#]*)/?");

  /**
   * Reads {@code scheme://[user[:password]@]host[:port]}.
   *
   * @throws BadTargetException naming the part that is wrong, never what stands there
   */
  static ForwardProxy parse(String url) throws BadTargetException {
    Matcher parts = URL.matcher(url);
    if (url.length() > Target.MAX_LENGTH || !parts.matches()) {
      throw new BadTargetException("not an address of a proxy (expected: scheme://host:port)");
    }
    Protocol protocol = protocol(parts.group(1));
    String authority = parts.group(2);
    int at = authority.lastIndexOf('@');
    String hostAndPort = authority.substring(at + 1);
    Target place = Target.parse("http://" + hostAndPort);
    boolean hasPort = hostAndPort.indexOf(':', hostAndPort.indexOf(']') + 1) >= 0;
    return new ForwardProxy(
        protocol,
        place.host(),
        hasPort ? place.port() : protocol.defaultPort,
        at < 0 ? Optional.empty() : Optional.of(credentials(authority.substring(0, at))));
  }

  private static Protocol protocol(String scheme) throws BadTargetException {
    return Arrays.stream(Protocol.values())
        .filter(protocol -> protocol.scheme().equalsIgnoreCase(scheme))
        .findFirst()
        .orElseThrow(
            () ->
                new BadTargetException(
                    "scheme of the proxy (expected: http, https, socks4, socks4a, socks5,"
                        + " socks5h)"));
  }

  private static Credentials credentials(String userInfo) throws BadTargetException {
    int colon = userInfo.indexOf(':');
    String user = credential(colon < 0 ? userInfo : userInfo.substring(0, colon));
    String password = colon < 0 ? "" : credential(userInfo.substring(colon + 1));
    if (user.isEmpty() || user.indexOf(':') >= 0) {
      throw new BadTargetException("user of the proxy (expected: a name without colon)");
    }
    return new Credentials(user, password);
  }

  private static String credential(String escaped) throws BadTargetException {
    String text = PercentEncoding.decoded(escaped);
    if (text.getBytes(StandardCharsets.UTF_8).length > MAX_CREDENTIAL_BYTES) {
      throw new BadTargetException("user or password of the proxy: too long (expected: 255 bytes)");
    }
    return text;
  }

  boolean isHttp() {
    return protocol == Protocol.HTTP || protocol == Protocol.HTTPS;
  }

  /** Whether the connection to the proxy itself is over TLS. */
  boolean isSecure() {
    return protocol == Protocol.HTTPS;
  }

  /** Whether the proxy looks names up; otherwise we do. */
  boolean resolvesNames() {
    return protocol.resolvesNames;
  }

  /** Value of {@code Proxy-Authorization} (RFC 7617 §2); a secret. */
  Optional<String> basicAuthorization() {
    return credentials.map(
        pair -> {
          byte[] octets = (pair.user + ":" + pair.password).getBytes(StandardCharsets.UTF_8);
          return "Basic " + Base64.getEncoder().encodeToString(octets);
        });
  }

  /** Without credentials. */
  @Override
  public String toString() {
    String literal = host.indexOf(':') < 0 ? host : "[" + host + "]";
    return protocol.scheme() + "://" + literal + ":" + port;
  }
}
