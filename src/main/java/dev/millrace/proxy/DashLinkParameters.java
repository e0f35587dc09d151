package dev.millrace.proxy;

import dev.millrace.hls.SkippedRanges;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which parameters of a request the links in the playlist of a presentation have, in their order
 * (contract for DASH §1.4, §1.6).
 *
 * @param keys of the request
 * @param ofPlaylists for the playlists of profiles
 * @param ofSegments for media; before what is the segment's own
 * @param ofInits for initialization segments; behind what is their own
 */
record DashLinkParameters(
    KeyParameters keys,
    Map<String, String> ofPlaylists,
    Map<String, String> ofSegments,
    Map<String, String> ofInits) {
  /** How the request came, which no link repeats. */
  private static final Set<String> OF_REQUEST = Set.of("has_encrypted", "token");

  /** What is of the presentation itself, or of a segment: nobody but the MPD says that. */
  private static final Set<String> OF_PRESENTATION =
      Set.of(
          "d",
          DashParameters.PROFILE_ID,
          DashParameters.TRANSPORT_STREAM,
          HlsParameters.COOKIES,
          "fallback",
          "filename",
          "live",
          "init_url",
          "segment_url",
          "mime_type",
          "is_live",
          "use_map",
          "init_range",
          "segment_range",
          "shift");

  /** The player's ranges are of what it gets, not of what is fetched. */
  private static final Set<String> RANGE = Set.of("h_range", "h_if-range");

  static DashLinkParameters of(DashParameters request) {
    Map<String, String> ofPlaylists = new LinkedHashMap<>(request.query().all());
    ofPlaylists.keySet().removeAll(OF_REQUEST);
    ofPlaylists.computeIfPresent("skip", (name, given) -> decimals(given));
    Map<String, String> ofSegments = new LinkedHashMap<>(ofPlaylists);
    ofSegments.keySet().removeIf(DashLinkParameters::isOfPresentation);
    if (!request.keys().isEmpty()) {
      addKeys(request.keys(), ofSegments);
    }
    return new DashLinkParameters(
        request.keys(), ofPlaylists, ofSegments, ofInits(request, ofSegments));
  }

  private static boolean isOfPresentation(String name) {
    return OF_PRESENTATION.contains(name) || RANGE.contains(name.toLowerCase(Locale.ROOT));
  }

  /** To the playlist of a profile: it always says which keys. */
  Map<String, String> ofPlaylist(String profileId) {
    Map<String, String> own = new LinkedHashMap<>(ofPlaylists);
    own.put(DashParameters.PROFILE_ID, profileId);
    addKeys(keys, own);
    return own;
  }

  /** In normal form, where they stood. */
  private static void addKeys(KeyParameters keys, Map<String, String> parameters) {
    parameters.put(KeyParameters.KEY_ID, keys.keyIds());
    parameters.put(KeyParameters.KEY, keys.keys());
  }

  /** To a text that nothing decrypts. */
  Map<String, String> ofText(String address) {
    Map<String, String> own = new LinkedHashMap<>();
    own.put("d", address);
    own.putAll(ofInits);
    own.keySet().removeAll(Set.of(KeyParameters.KEY_ID, KeyParameters.KEY));
    return own;
  }

  private static Map<String, String> ofInits(DashParameters request, Map<String, String> media) {
    Map<String, String> ofInits = new LinkedHashMap<>();
    addKeys(request.keys(), ofInits);
    ofInits.put(Claim.PASSWORD, request.query().value(Claim.PASSWORD).orElse(""));
    ofInits.values().removeIf(String::isEmpty);
    media.forEach(
        (name, value) -> {
          String lower = name.toLowerCase(Locale.ROOT);
          if (lower.startsWith("h_") || lower.startsWith("rp_")) {
            ofInits.put(name, value);
          }
        });
    return ofInits;
  }

  /** As older proxies write it: every number with a fraction. {@link SkippedRanges} has read it. */
  private static String decimals(String skip) {
    return Arrays.stream(skip.split(",", -1))
        .filter(range -> !range.isBlank())
        .map(range -> range.split("-", 2))
        .map(range -> decimal(range[0]) + "-" + decimal(range[1]))
        .collect(Collectors.joining(","));
  }

  private static String decimal(String number) {
    String plain = new BigDecimal(number.strip()).stripTrailingZeros().toPlainString();
    return plain.indexOf('.') < 0 ? plain + ".0" : plain;
  }
}
