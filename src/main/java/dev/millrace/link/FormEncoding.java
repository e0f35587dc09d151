package dev.millrace.link;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Percent-encoding (RFC 3986 §2.1) of everything but the unreserved characters (§2.3), of UTF-8.
 * Queries say {@code +} for a blank, as forms do.
 */
public final class FormEncoding {
  private FormEncoding() {}

  public static String query(Map<String, String> parameters) {
    return parameters.entrySet().stream()
        .map(parameter -> text(parameter.getKey()) + "=" + text(parameter.getValue()))
        .collect(Collectors.joining("&"));
  }

  /** A relative path: its slashes stay. */
  static String path(String text) {
    return text(text).replace("+", "%20").replace("%2F", "/");
  }

  /** One name or value. */
  public static String text(String text) {
    return URLEncoder.encode(text, UTF_8).replace("*", "%2A").replace("%7E", "~");
  }
}
