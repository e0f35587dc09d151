package dev.millrace.hls;

import dev.millrace.stream.ByteBuilder;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Writes playlists with filters. Addresses stand in them without the beginning that they have in
 * common, and what they carry besides after them: {@code a.ts{decrypt_iv=…}}.
 */
record Filtered(PlaylistFilters filters) {
  static final String BASE = "http://up.test/m/";

  static Filtered skipping(String ranges) {
    return new Filtered(
        new PlaylistFilters(
            Optional.empty(),
            Optional.empty(),
            Optional.of(SkippedRanges.parse(ranges)),
            Optional.empty(),
            false));
  }

  static Filtered cleared() {
    return new Filtered(
        new PlaylistFilters(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), true));
  }

  static Filtered clearedAndSkipping(String ranges) {
    return new Filtered(
        new PlaylistFilters(
            Optional.empty(),
            Optional.empty(),
            Optional.of(SkippedRanges.parse(ranges)),
            Optional.empty(),
            true));
  }

  static Filtered starting(double seconds) {
    return new Filtered(
        new PlaylistFilters(
            Optional.of(seconds), Optional.of(-18.0), Optional.empty(), Optional.empty(), false));
  }

  static Filtered startingByDefault() {
    return new Filtered(
        new PlaylistFilters(
            Optional.empty(), Optional.of(-18.0), Optional.empty(), Optional.empty(), false));
  }

  static Filtered choosing(VariantChoice variant) {
    return new Filtered(
        new PlaylistFilters(
            Optional.empty(), Optional.of(-18.0), Optional.empty(), Optional.of(variant), false));
  }

  String of(String... lines) {
    return of(String.join("\n", lines) + "\n");
  }

  String of(String playlist) {
    return of(PlaylistText.of(playlist)).toString();
  }

  ByteBuilder of(PlaylistText text) {
    PlaylistOutline outline = PlaylistOutline.of(text);
    Iterable<Edit> edits = filters.edits(text, outline, BASE + "x.m3u8", Map.of());
    PlaylistRewriter rewriter =
        new PlaylistRewriter(text, BASE + "x.m3u8", Map.of(), edits, Filtered::write);
    ByteBuilder out = new ByteBuilder(text.length());
    while (rewriter.write(out, 1 << 10)) {}
    return out;
  }

  private static void write(
      UriKind kind, ByteBuilder uri, Map<String, String> carried, ByteBuilder out) {
    String address = uri.toString();
    out.append(address.startsWith(BASE) ? address.substring(BASE.length()) : address);
    out.append(carried.isEmpty() ? "" : new TreeMap<>(carried).toString());
  }
}
