package dev.millrace.testing;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Request target of media of a presentation: {@code /proxy/mpd/segment.mp4?…}. */
public final class MpdLink {
  private final String target;

  private MpdLink(String target) {
    this.target = target;
  }

  /** A segment that initializes itself; its type is {@code video/mp4}. */
  public static MpdLink segment(String url) {
    return new MpdLink("/proxy/mpd/segment.mp4?mime_type=video%2Fmp4").with("segment_url", url);
  }

  /** An initialization segment; its type is {@code video/mp4}. */
  public static MpdLink init(String url) {
    return new MpdLink("/proxy/mpd/init.mp4?mime_type=video%2Fmp4").with("init_url", url);
  }

  /** With the key of a protector. */
  public MpdLink key(SampleProtector protector) {
    return with("key_id", protector.kid()).with("key", protector.key());
  }

  public MpdLink with(String parameter, String value) {
    return new MpdLink(target + '&' + encoded(parameter) + '=' + encoded(value));
  }

  @Override
  public String toString() {
    return target;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
