package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.millrace.stream.ByteBuilder;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where the addresses of a playlist lead on this server. Strict players look at how a path ends:
 * these are the endings that all of them take.
 */
enum ChildRoute {
  PLAYLIST("manifest.m3u8", ""),
  LIST("list.json", ""),
  TS("segment.ts", "ts"),
  M4S("segment.m4s", "m4s cmfv cmfa cmft"),
  MP4("segment.mp4", "mp4 m4a m4v"),
  AAC("segment.aac", "aac mp3 ac3 ec3"),
  VTT("segment.vtt", "vtt webvtt"),
  KEY("segment.key", "");

  private static final int MAX_ENDING = 8;
  private static final Set<String> PLAYLIST_ENDINGS = Set.of("m3u", "m3u8", "m3u_plus");
  private static final Map<String, ChildRoute> BY_ENDING =
      Arrays.stream(values())
          .flatMap(r -> Arrays.stream(r.endings.split(" ", -1)).map(e -> Map.entry(e, r)))
          .filter(entry -> !entry.getKey().isEmpty())
          .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

  /** The usual ones, found without making a string of the ending. */
  private static final byte[] TS_ENDING = {'.', 't', 's'};

  private static final byte[] M4S_ENDING = {'.', 'm', '4', 's'};

  private final String path;
  private final String endings;

  ChildRoute(String name, String endings) {
    this.path = "/proxy/hls/" + name;
    this.endings = endings;
  }

  String path() {
    return path;
  }

  /**
   * By how the path of an address ends, in any case; absent if that is no ending of ours. {@link
   * #PLAYLIST} also if the query says so: {@code type=m3u8}, {@code m3u} or {@code m3u_plus}.
   */
  static Optional<ChildRoute> of(ByteBuilder address) {
    int query = indexOf(address, '?', 0);
    if (query < address.length() && isTypePlaylist(address, query + 1)) {
      return Optional.of(PLAYLIST);
    }
    if (endsWith(address, query, TS_ENDING)) {
      return Optional.of(TS);
    }
    if (endsWith(address, query, M4S_ENDING)) {
      return Optional.of(M4S);
    }
    String ending = ending(address, query);
    return PLAYLIST_ENDINGS.contains(ending)
        ? Optional.of(PLAYLIST)
        : Optional.ofNullable(BY_ENDING.get(ending));
  }

  static boolean isPlaylist(ByteBuilder address) {
    return of(address).equals(Optional.of(PLAYLIST));
  }

  private static int indexOf(ByteBuilder text, char wanted, int from) {
    byte[] bytes = text.array();
    int at = from;
    while (at < text.length() && bytes[at] != wanted) {
      at++;
    }
    return at;
  }

  private static boolean endsWith(ByteBuilder text, int end, byte[] ending) {
    int from = end - ending.length;
    return from >= 0 && Arrays.equals(text.array(), from, end, ending, 0, ending.length);
  }

  /** In lower case; empty if there is none, or none that is short enough to be one of ours. */
  private static String ending(ByteBuilder text, int pathEnd) {
    int from = pathEnd;
    while (from > 0 && pathEnd - from <= MAX_ENDING) {
      byte before = text.at(from - 1);
      if (before == '.') {
        return text(text, from, pathEnd);
      }
      if (before == '/') {
        return "";
      }
      from--;
    }
    return "";
  }

  private static boolean isTypePlaylist(ByteBuilder text, int queryStart) {
    int from = queryStart;
    while (from < text.length()) {
      int to = indexOf(text, '&', from);
      int length = to - from;
      boolean isShort = length >= "type=m3u".length() && length <= "type=m3u_plus".length();
      if (isShort) {
        String pair = text(text, from, to);
        if (pair.startsWith("type=") && PLAYLIST_ENDINGS.contains(pair.substring(5))) {
          return true;
        }
      }
      from = to + 1;
    }
    return false;
  }

  private static String text(ByteBuilder text, int from, int to) {
    return new String(text.array(), from, to - from, ISO_8859_1).toLowerCase(Locale.ROOT);
  }
}
