package dev.millrace.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A box of a well-made file that can be changed and written again. Sizes of 32 bits. */
final class MovieBox {
  private static final Set<String> CONTAINERS =
      Set.of("moov", "trak", "mdia", "minf", "stbl", "mvex", "moof", "traf");

  private final String type;
  private byte[] content;
  private final List<MovieBox> children;
  private final int start;

  private MovieBox(String type, byte[] content, List<MovieBox> children, int start) {
    this.type = type;
    this.content = content;
    this.children = children;
    this.start = start;
  }

  static MovieBox of(String type, byte[] content) {
    return new MovieBox(type, content, new ArrayList<>(), 0);
  }

  static MovieBox of(String type, MovieBox... children) {
    return new MovieBox(type, new byte[0], new ArrayList<>(List.of(children)), 0);
  }

  static List<MovieBox> read(byte[] file) {
    return read(ByteBuffer.wrap(file));
  }

  private static List<MovieBox> read(ByteBuffer in) {
    List<MovieBox> boxes = new ArrayList<>();
    while (in.hasRemaining()) {
      int start = in.position();
      byte[] content = new byte[in.getInt() - 8];
      byte[] type = new byte[4];
      in.get(type);
      String name = new String(type, ISO_8859_1);
      in.get(content);
      boxes.add(
          CONTAINERS.contains(name)
              ? new MovieBox(name, new byte[0], read(ByteBuffer.wrap(content)), start)
              : new MovieBox(name, content, new ArrayList<>(), start));
    }
    return boxes;
  }

  String type() {
    return type;
  }

  /** Where it began in what it was read from. */
  int start() {
    return start;
  }

  byte[] content() {
    return content;
  }

  void content(byte[] other) {
    content = other;
  }

  List<MovieBox> children() {
    return children;
  }

  List<MovieBox> children(String wanted) {
    return children.stream().filter(child -> child.type.equals(wanted)).toList();
  }

  /** The first at the end of that path. */
  MovieBox at(String... path) {
    MovieBox box = this;
    for (String step : path) {
      box = box.find(step).orElseThrow(() -> new AssertionError("no " + step));
    }
    return box;
  }

  Optional<MovieBox> find(String wanted) {
    return children(wanted).stream().findFirst();
  }

  int size() {
    return 8 + content.length + children.stream().mapToInt(MovieBox::size).sum();
  }

  byte[] bytes() {
    ByteBuffer out = ByteBuffer.allocate(size());
    write(out);
    return out.array();
  }

  private void write(ByteBuffer out) {
    out.putInt(size()).put(type.getBytes(ISO_8859_1)).put(content);
    children.forEach(child -> child.write(out));
  }

  /** From the beginning of this box to the content of one in it; -1: not in it. */
  int offsetOf(MovieBox wanted) {
    int at = 8 + content.length;
    for (MovieBox child : children) {
      if (child == wanted) {
        return at + 8;
      }
      int inside = child.offsetOf(wanted);
      if (inside >= 0) {
        return at + inside;
      }
      at += child.size();
    }
    return -1;
  }

  static byte[] joined(List<byte[]> parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    parts.forEach(all::writeBytes);
    return all.toByteArray();
  }
}
