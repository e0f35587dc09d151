package dev.millrace.hls;

import dev.millrace.stream.ByteBuilder;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/** Rewrites in a form that shows kind, address, and what is carried: {@code <KIND address {…}>}. */
record Rewriting(String base, Map<String, String> imported, List<Edit> edits) {
  static final Rewriting PLAIN = at("http://up.test/m/x.m3u8");

  static Rewriting at(String base) {
    return new Rewriting(base, Map.of(), List.of());
  }

  Rewriting importing(Map<String, String> variables) {
    return new Rewriting(base, variables, edits);
  }

  Rewriting with(Edit... changes) {
    return new Rewriting(base, imported, List.of(changes));
  }

  /** In one piece. */
  String of(String playlist) {
    return text(of(PlaylistText.of(playlist), Integer.MAX_VALUE / 2));
  }

  /** One character is one byte, in and out. */
  String ofBytes(String playlist) {
    return text(of(bytes(playlist), Integer.MAX_VALUE / 2));
  }

  static PlaylistText bytes(String playlist) {
    PlaylistText.Collector collector = new PlaylistText.Collector();
    collector.append(
        ByteBuffer.wrap(playlist.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1)));
    return collector.toText();
  }

  ByteBuilder of(PlaylistText playlist, int enoughBytes) {
    PlaylistRewriter rewriter =
        new PlaylistRewriter(playlist, base, imported, edits, Rewriting::show);
    ByteBuilder all = new ByteBuilder(1024);
    ByteBuilder piece = new ByteBuilder(64);
    boolean hasMore = true;
    while (hasMore) {
      hasMore = rewriter.write(piece.clear(), enoughBytes);
      all.append(piece);
    }
    return all;
  }

  static void show(UriKind kind, ByteBuilder uri, Map<String, String> carried, ByteBuilder out) {
    out.append("<" + kind + " ").append(uri).append(carried.isEmpty() ? "" : " " + carried);
    out.append(">");
  }

  private static String text(ByteBuilder bytes) {
    return new String(
        bytes.array(), 0, bytes.length(), java.nio.charset.StandardCharsets.ISO_8859_1);
  }
}
