package dev.millrace.hls;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.stream.ByteBuilder;
import java.util.Map;

/**
 * Follows the keys in force through a playlist, and the variables in their addresses (RFC 8216bis
 * §4.4.4.4 and §4.3). Confined to one caller.
 */
final class KeyReader {
  private final BaseUri base;
  private final Variables variables;
  private KeysInForce keys = KeysInForce.NONE;
  private SegmentKey last = SegmentKey.NONE;

  KeyReader(String baseUri, Map<String, String> imported) {
    base = BaseUri.of(baseUri);
    variables = new Variables(imported, base.query());
  }

  /**
   * Takes notice of the line at which {@code lines} stands.
   *
   * @return whether it is a key that can be read
   */
  boolean read(PlaylistLines lines) {
    if (lines.kind() == LineKind.EXT_X_DEFINE) {
      variables.define(lines.attributes());
    }
    if (lines.kind() != LineKind.EXT_X_KEY) {
      return false;
    }
    SegmentKey key = SegmentKey.read(lines, this::absolute);
    if (key.method().isEmpty()) {
      return false;
    }
    last = key;
    keys = keys.plus(key);
    return true;
  }

  /** An address of the playlist; empty if it is none of {@code http} or {@code https}. */
  String absolute(String reference) {
    byte[] text = reference.strip().getBytes(UTF_8);
    ByteBuilder replaced = new ByteBuilder(text.length);
    variables.replace(text, 0, text.length, replaced);
    ByteBuilder absolute = new ByteBuilder(256);
    boolean isHttp = base.resolve(replaced.array(), 0, replaced.length(), absolute);
    boolean isShort = absolute.length() <= PlaylistRewriter.MAX_ADDRESS_BYTES;
    return isHttp && isShort && text.length > 0 ? absolute.toString() : "";
  }

  KeysInForce keys() {
    return keys;
  }

  /** The last that was read. */
  SegmentKey last() {
    return last;
  }
}
