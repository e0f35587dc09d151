package dev.millrace.testing;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Request target of the forward route: {@code /proxy/forward?api_password=pw&d=…}. */
public final class ForwardLink {
  /** What tests protect their server with. */
  public static final String PASSWORD = "pw";

  private final String target;

  private ForwardLink(String target) {
    this.target = target;
  }

  public static ForwardLink to(String d) {
    return new ForwardLink("/proxy/forward?api_password=" + PASSWORD + "&d=" + encoded(d));
  }

  public ForwardLink with(String parameter, String value) {
    return new ForwardLink(target + '&' + encoded(parameter) + '=' + encoded(value));
  }

  @Override
  public String toString() {
    return target;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
