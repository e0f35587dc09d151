package dev.millrace.testing;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Request target of the playlist route, {@code /proxy/hls/manifest.m3u8?d=…}, and what it gives.
 */
public final class ManifestLink {
  private static final Pattern LINK = Pattern.compile("https?://[^\"\\n]+");
  private final String target;

  private ManifestLink(String target) {
    this.target = target;
  }

  public static ManifestLink to(String d) {
    return new ManifestLink("/proxy/hls/manifest.m3u8?d=" + encoded(d));
  }

  public ManifestLink with(String parameter, String value) {
    return new ManifestLink(target + '&' + encoded(parameter) + '=' + encoded(value));
  }

  /** Request targets of the links in a rewritten playlist, in order. */
  public static List<String> linksIn(RawAnswer playlist) {
    return LINK.matcher(playlist.text())
        .results()
        .map(match -> match.group().replaceFirst("https?://[^/]+", ""))
        .toList();
  }

  @Override
  public String toString() {
    return target;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
