package dev.millrace.testing;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Request target of the segment route: {@code /proxy/hls/segment.ts?d=…}. */
public final class SegmentLink {
  private final String target;

  private SegmentLink(String target) {
    this.target = target;
  }

  /** {@code ending} without its dot. */
  public static SegmentLink to(String ending, String d) {
    return new SegmentLink("/proxy/hls/segment." + ending + "?d=" + encoded(d));
  }

  public SegmentLink with(String parameter, String value) {
    return new SegmentLink(target + '&' + encoded(parameter) + '=' + encoded(value));
  }

  @Override
  public String toString() {
    return target;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
