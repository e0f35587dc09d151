package dev.millrace.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Request targets of the routes of presentations, {@code /proxy/mpd/…}, and what they give. */
public final class MpdLink {
  private static final Pattern LINK = Pattern.compile("https?://[^\"\\n]+");
  private final String target;

  private MpdLink(String target) {
    this.target = target;
  }

  public static MpdLink manifest(String d) {
    return new MpdLink("/proxy/mpd/manifest.m3u8?d=" + encoded(d));
  }

  public static MpdLink playlist(String d, String profileId) {
    return new MpdLink("/proxy/mpd/playlist.m3u8?d=" + encoded(d)).with("profile_id", profileId);
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

  /** Request targets of the links in a playlist, in order. */
  public static List<String> linksIn(RawAnswer playlist) {
    return LINK.matcher(playlist.text())
        .results()
        .map(match -> match.group().replaceFirst("https?://[^/]+", ""))
        .toList();
  }

  /** Of a link, decoded, in its order. */
  public static Map<String, String> parametersOf(String link) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String pair : link.substring(link.indexOf('?') + 1).split("&", -1)) {
      String[] parts = pair.split("=", 2);
      parameters.put(URLDecoder.decode(parts[0], UTF_8), URLDecoder.decode(parts[1], UTF_8));
    }
    return parameters;
  }

  @Override
  public String toString() {
    return target;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }
}
