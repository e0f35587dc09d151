package dev.millrace.testing;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Request target of the stream route: {@code /proxy/stream[/name]?d=…}. */
public final class StreamLink {
  private final String target;

  private StreamLink(String target) {
    this.target = target;
  }

  public static StreamLink to(String d) {
    return new StreamLink("/proxy/stream?d=" + encoded(d));
  }

  /** With a file name, already percent-encoded. */
  public static StreamLink named(String encodedName, String d) {
    return new StreamLink("/proxy/stream/" + encodedName + "?d=" + encoded(d));
  }

  public StreamLink with(String parameter, String value) {
    return new StreamLink(target + '&' + encoded(parameter) + '=' + encoded(value));
  }

  @Override
  public String toString() {
    return target;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
