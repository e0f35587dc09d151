package dev.millrace.proxy;

import dev.millrace.hls.PlaylistRewriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Which parameters of a playlist's request the links in it have, in their order; {@code d} has its
 * place among them (contract §10.5).
 *
 * @param ofPlaylists for what leads to further links
 * @param ofMedia for segments and parts of them
 * @param ofPlain for keys and initialization sections, which nothing changes
 */
record ChildParameters(
    Map<String, String> ofPlaylists, Map<String, String> ofMedia, Map<String, String> ofPlain) {
  /** What is for the playlist itself, or names it. */
  private static final Set<String> OF_PARENT =
      Set.of("fallback", "filename", "force_playlist_proxy", "has_encrypted", "live", "token");

  private static final Set<String> OF_MEDIA =
      Set.of("d", Claim.PASSWORD, "x_headers", "transformer");

  private static final Set<String> RANGE = Set.of("h_range", "h_if-range");

  static ChildParameters of(HlsParameters parameters) {
    Map<String, String> ofPlaylists = new LinkedHashMap<>();
    Map<String, String> ofMedia = new LinkedHashMap<>();
    parameters
        .query()
        .all()
        .forEach(
            (name, value) -> {
              String lower = name.toLowerCase(Locale.ROOT);
              if (isOfPlaylists(name, lower)) {
                ofPlaylists.put(name, value);
              }
              if (isOfMedia(name, lower)) {
                ofMedia.put(name, value);
              }
            });
    if (parameters.isKeyOnly()) {
      ofPlaylists.put("key_only_proxy", "true");
    }
    Map<String, String> ofPlain = new LinkedHashMap<>(ofMedia);
    ofPlain.remove("transformer");
    return new ChildParameters(ofPlaylists, ofMedia, ofPlain);
  }

  private static boolean isOfPlaylists(String name, String lower) {
    return !OF_PARENT.contains(name)
        && !name.startsWith(PlaylistRewriter.VARIABLE_PREFIX) // carried where they are needed
        && !lower.startsWith("r_")
        && !Visit.DELIVERY_DIRECTIVES.contains(name);
  }

  private static boolean isOfMedia(String name, String lower) {
    return OF_MEDIA.contains(name)
        || lower.startsWith("rp_")
        || (lower.startsWith("h_") && !RANGE.contains(lower));
  }
}
