package dev.millrace.hls;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.stream.ByteBuilder;
import java.util.Arrays;

/**
 * The address of a playlist, against which the references in it are resolved (RFC 3986 §5.2), byte
 * for byte: what is not valid in an address comes out as it went in. Never throws. Can be used by
 * several at a time.
 */
public final class BaseUri {
  private final byte[] whole;
  private final int scheme;
  private final int origin;
  private final int path;
  private final byte[] directory;

  private BaseUri(byte[] whole, int scheme, int origin, int path, byte[] directory) {
    this.whole = whole;
    this.scheme = scheme;
    this.origin = origin;
    this.path = path;
    this.directory = directory;
  }

  /** Of an absolute {@code http} or {@code https} address; a fragment is ignored. */
  public static BaseUri of(String uri) {
    byte[] bytes = uri.getBytes(UTF_8);
    byte[] whole = Arrays.copyOf(bytes, indexOf(bytes, '#', '#', 0, bytes.length));
    int scheme = schemeEnd(whole, 0, whole.length);
    int authority = scheme + (isAt(whole, scheme, whole.length, "//") ? 2 : 0);
    int origin = indexOf(whole, '/', '?', authority, whole.length);
    int path = indexOf(whole, '?', '?', origin, whole.length);
    return new BaseUri(whole, scheme, origin, path, directory(whole, origin, path));
  }

  /** Origin and path up to the last slash. */
  private static byte[] directory(byte[] whole, int origin, int path) {
    ByteBuilder directory = new ByteBuilder(path + 1).append(whole, 0, origin).append((byte) '/');
    if (origin < path) {
      int end = path;
      while (whole[end - 1] != '/') {
        end--;
      }
      appendPath(whole, origin + 1, end, directory, origin);
    }
    return directory.toByteArray();
  }

  /**
   * Appends what a reference means, without its fragment. Absolute addresses are appended as they
   * are.
   *
   * @return whether it is an {@code http} or {@code https} address; if not, nothing is appended
   */
  public boolean resolve(byte[] text, int from, int to, ByteBuilder out) {
    int start = from;
    int scheme = schemeEnd(text, from, to);
    if (scheme > from) {
      if (!isHttp(text, from, scheme)) {
        return false;
      }
      if (isAt(text, scheme, to, "//")) {
        out.append(text, from, indexOf(text, '#', '#', scheme, to) - from);
        return true;
      }
      if (scheme - from != this.scheme) {
        return false;
      }
      start = scheme; // http:segment.ts, as §5.2.2 allows
    }
    resolveRelative(text, start, indexOf(text, '#', '#', start, to), out);
    return true;
  }

  private void resolveRelative(byte[] text, int from, int to, ByteBuilder out) {
    int begin = out.length();
    if (from == to) {
      out.append(whole);
    } else if (text[from] == '?') {
      out.append(whole, 0, path).append(text, from, to - from);
    } else if (isAt(text, from, to, "//")) {
      int host = indexOf(text, '/', '?', from + 2, to);
      out.append(whole, 0, scheme).append(text, from, host - from);
      resolvePath(text, host, to, out, out.length());
    } else if (text[from] == '/') {
      out.append(whole, 0, origin);
      resolvePath(text, from, to, out, begin + origin);
    } else {
      out.append(directory);
      appendPath(text, from, to, out, begin + origin);
    }
  }

  /** An absolute path, which may be empty, and its query. */
  private static void resolvePath(byte[] text, int from, int to, ByteBuilder out, int root) {
    if (from < to && text[from] == '/') {
      out.append((byte) '/');
      appendPath(text, from + 1, to, out, root);
    } else {
      out.append(text, from, to - from);
    }
  }

  /**
   * Appends segments and query without dot segments (§5.2.4).
   *
   * @param out ends with a slash
   * @param root of the path's first slash in {@code out}
   */
  private static void appendPath(byte[] text, int from, int to, ByteBuilder out, int root) {
    int query = indexOf(text, '?', '?', from, to);
    if (!mayHaveDotSegments(text, from, query)) {
      out.append(text, from, to - from);
      return;
    }
    int start = from;
    while (start < query) {
      int end = indexOf(text, '/', '/', start, query);
      int next = Math.min(query, end + 1);
      if (isDots(text, start, end, 2)) {
        out.truncate(parent(out, root));
      } else if (!isDots(text, start, end, 1)) {
        out.append(text, start, next - start);
      }
      start = next;
    }
    out.append(text, query, to - query);
  }

  private static boolean mayHaveDotSegments(byte[] text, int from, int to) {
    boolean atStart = true;
    for (int i = from; i < to; i++) {
      if (atStart && text[i] == '.') {
        return true;
      }
      atStart = text[i] == '/';
    }
    return false;
  }

  private static boolean isDots(byte[] text, int from, int to, int count) {
    return to - from == count && text[from] == '.' && text[to - 1] == '.';
  }

  private static int parent(ByteBuilder out, int root) {
    int end = Math.max(root + 1, out.length() - 1);
    while (end > root + 1 && out.at(end - 1) != '/') {
      end--;
    }
    return end;
  }

  /** After the colon; {@code from} if there is no scheme (§3.1). */
  private static int schemeEnd(byte[] text, int from, int to) {
    for (int i = from; i < to; i++) {
      int character = text[i];
      if (character == ':') {
        return i == from ? from : i + 1;
      }
      boolean isLetter = (character | 0x20) >= 'a' && (character | 0x20) <= 'z';
      boolean isOther = "0123456789+-.".indexOf(character) >= 0;
      if (!isLetter && (i == from || !isOther)) {
        return from;
      }
    }
    return from;
  }

  private static boolean isHttp(byte[] text, int from, int to) {
    return isIgnoringCase(text, from, to, "http:") || isIgnoringCase(text, from, to, "https:");
  }

  private static boolean isIgnoringCase(byte[] text, int from, int to, String scheme) {
    if (to - from != scheme.length()) {
      return false;
    }
    for (int i = 0; i < scheme.length(); i++) {
      if ((text[from + i] | 0x20) != (scheme.charAt(i) | 0x20)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAt(byte[] text, int from, int to, String expected) {
    if (to - from < expected.length()) {
      return false;
    }
    for (int i = 0; i < expected.length(); i++) {
      if (text[from + i] != expected.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Of the first of those two characters; {@code to} if there is none. */
  private static int indexOf(byte[] text, char one, char other, int from, int to) {
    for (int i = from; i < to; i++) {
      if (text[i] == one || text[i] == other) {
        return i;
      }
    }
    return to;
  }

  /** The query as it stands, without question mark; empty if there is none. */
  String query() {
    return path < whole.length ? new String(whole, path + 1, whole.length - path - 1, UTF_8) : "";
  }
}
