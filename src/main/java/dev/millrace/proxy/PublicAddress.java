package dev.millrace.proxy;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of this server as a client sees it.
 *
 * @param origin scheme, host and port: {@code https://proxy.example} (RFC 6454 §6.2)
 * @param path in front of every route of ours; empty, or begins with a slash and does not end in
 *     one
 */
public record PublicAddress(String origin, String path) {
  private static final Pattern FORM =
      Pattern.compile("(https?)://([^/?#]*)(/[^?#]*)?", Pattern.CASE_INSENSITIVE);

  /**
   * Reads what an operator says that it is.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  static PublicAddress parse(String url) {
    Matcher parts = FORM.matcher(url);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "expected: http:// or https://, a host, perhaps a path, and neither query nor fragment");
    }
    String scheme = parts.group(1).toLowerCase(Locale.ROOT);
    if (parts.group(2).indexOf('@') >= 0) {
      throw new IllegalArgumentException("expected: an address without user and password");
    }
    HostAndPort host =
        HostAndPort.parse(parts.group(2))
            .orElseThrow(
                () -> new IllegalArgumentException("expected: host or host:port after the scheme"));
    String path =
        PathPrefix.parse(Optional.ofNullable(parts.group(3)).orElse(""))
            .orElseThrow(() -> new IllegalArgumentException("expected: " + PathPrefix.EXPECTED));
    return new PublicAddress(scheme + "://" + host.authority(scheme), path);
  }

  /**
   * The whole address of a route.
   *
   * @param route begins with a slash
   */
  public String url(String route) {
    return origin + path + route;
  }
}
