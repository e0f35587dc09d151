package dev.millrace.hls;

import dev.millrace.stream.ByteBuilder;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites line after line of a playlist: knows which of them hold addresses, and replaces those.
 * Confined to one caller.
 */
final class LineRewriter {
  private static final int MAX_ADDRESS_BYTES = PlaylistRewriter.MAX_ADDRESS_BYTES;

  private final BaseUri base;
  private final Variables variables;
  private final Map<String, String> carriedOn;
  private final CarriedVariables carriedVariables;
  private final UriRewriter rewriter;
  private final AttributeList attributes = new AttributeList();
  private final ByteBuilder uri = new ByteBuilder(256);
  private final ByteBuilder replaced = new ByteBuilder(256);
  private Map<String, String> ofLine = Map.of();
  private boolean isVariantNext;
  private byte[] text = new byte[0];
  private int start;
  private int end;

  LineRewriter(
      BaseUri base, Variables variables, CarriedVariables carriedVariables, UriRewriter rewriter) {
    this.base = base;
    this.variables = variables;
    this.carriedOn = variables.carriedOn();
    this.carriedVariables = carriedVariables;
    this.rewriter = rewriter;
  }

  /** What links to media playlists carry; asked when the first is written. */
  @FunctionalInterface
  interface CarriedVariables {
    Map<String, String> ofPlaylist();
  }

  /** Takes notice of a line that is left out. */
  void skip(ByteBuilder line) {
    read(line);
    if (start == end) {
      return;
    }
    if (text[start] != '#') {
      isVariantNext = false;
      return;
    }
    HlsTag tag = HlsTag.of(text, start, end);
    if (tag == HlsTag.STREAM_INF) {
      isVariantNext = true;
    } else if (tag == HlsTag.DEFINE) {
      variables.define(attributesOf(tag));
    }
  }

  /** Takes notice of a line that is too long to be rewritten. */
  void skipLong(boolean isTag) {
    isVariantNext &= isTag;
  }

  /**
   * Appends the line as it is to be.
   *
   * @param carried what links on it carry, unless they lead to media playlists
   */
  void write(ByteBuilder line, Map<String, String> carried, ByteBuilder out) {
    ofLine = carried;
    read(line);
    int done = start < end ? writeBegin(out) : 0;
    out.append(text, done, line.length() - done);
  }

  /** Finds the line's text between blanks, line end, and a byte order mark. */
  private void read(ByteBuilder line) {
    text = line.array();
    end = line.length();
    start = isMarked(line) ? 3 : 0;
    while (start < end && isBlank(text[start])) {
      start++;
    }
    while (end > start && isBlank(text[end - 1])) {
      end--;
    }
  }

  private static boolean isMarked(ByteBuilder line) {
    return line.length() >= 3
        && line.at(0) == (byte) 0xef
        && line.at(1) == (byte) 0xbb
        && line.at(2) == (byte) 0xbf;
  }

  private static boolean isBlank(byte character) {
    return character >= 0 && character <= ' ';
  }

  private AttributeList attributesOf(HlsTag tag) {
    return attributes.of(text, Math.min(end, start + tag.valueOffset()), end);
  }

  /** Returns how many bytes of the line are written, in whatever form. */
  private int writeBegin(ByteBuilder out) {
    if (text[start] != '#') {
      UriKind kind = isVariantNext ? UriKind.VARIANT : UriKind.SEGMENT;
      isVariantNext = false;
      return writeAddress(kind, 0, start, end, out);
    }
    HlsTag tag = HlsTag.of(text, start, end);
    return switch (tag) {
      case OTHER -> 0;
      case STREAM_INF -> {
        isVariantNext = true;
        yield 0;
      }
      case DEFINE -> writeDefinition(out);
      case PREFETCH, TWITCH_PREFETCH ->
          writeAddress(UriKind.SEGMENT, 0, Math.min(end, start + tag.valueOffset()), end, out);
      case KEY, SESSION_KEY -> isBare(tag) ? 0 : writeAttributes(tag, out);
      case MAP,
          PART,
          DATERANGE,
          PRELOAD_HINT,
          RENDITION_REPORT,
          MEDIA,
          I_FRAME_STREAM_INF,
          IMAGE_STREAM_INF,
          SESSION_DATA,
          CONTENT_STEERING ->
          writeAttributes(tag, out);
    };
  }

  /** Whether {@code METHOD=NONE}: no key, whatever else is said of it. */
  private boolean isBare(HlsTag tag) {
    attributesOf(tag);
    while (attributes.next()) {
      if (attributes.isNamed("METHOD")) {
        return attributes.value().equals("NONE");
      }
    }
    return false;
  }

  private int writeAttributes(HlsTag tag, ByteBuilder out) {
    int done = 0;
    int left = PlaylistRewriter.MAX_ADDRESSES_OF_LINE;
    attributesOf(tag);
    while (left > 0 && attributes.next()) {
      @Nullable UriKind kind = tag.kindOf(attributes);
      if (kind != null && isAddress()) {
        done = writeAddress(kind, done, attributes.valueStart(), attributes.valueEnd(), out);
        left--;
      }
    }
    return done;
  }

  /** Without quotes only what looks like one; the standard wants quotes. */
  private boolean isAddress() {
    int from = attributes.valueStart();
    boolean isAddress = attributes.isQuoted();
    for (int i = from; i < attributes.valueEnd() && !isAddress; i++) {
      isAddress = (text[i] == '.' || text[i] == '/') && text[from] != '\'';
    }
    return isAddress;
  }

  /** Writes {@code QUERYPARAM} as {@code NAME} and {@code VALUE}: a player would ask our link. */
  private int writeDefinition(ByteBuilder out) {
    Optional<String> value = variables.define(attributesOf(HlsTag.DEFINE));
    if (value.isEmpty()) {
      return 0;
    }
    attributesOf(HlsTag.DEFINE);
    while (attributes.next()) {
      if (attributes.isNamed("QUERYPARAM")) {
        out.append(text, 0, attributes.nameStart());
        out.append("NAME=\"").append(attributes.value());
        out.append("\",VALUE=\"").append(value.get()).append("\"");
        int after = attributes.valueEnd();
        return attributes.isQuoted() && after < end ? after + 1 : after;
      }
    }
    return 0;
  }

  /** Writes what stands before an address, and then what is to stand for it. */
  private int writeAddress(UriKind kind, int done, int from, int to, ByteBuilder out) {
    int first = from;
    int last = to;
    while (first < last && isBlank(text[first])) {
      first++;
    }
    while (last > first && isBlank(text[last - 1])) {
      last--;
    }
    if (first == last || !resolve(first, last)) {
      return done;
    }
    out.append(text, done, from - done);
    rewriter.rewrite(kind, uri, carried(kind), out);
    return to;
  }

  private boolean resolve(int from, int to) {
    if (to - from > MAX_ADDRESS_BYTES) {
      return false;
    }
    uri.clear();
    boolean isHttp;
    if (variables.mayStandIn(text, from, to)) {
      variables.replace(text, from, to, replaced.clear());
      isHttp = base.resolve(replaced.array(), 0, replaced.length(), uri);
    } else {
      isHttp = base.resolve(text, from, to, uri);
    }
    return isHttp && uri.length() <= MAX_ADDRESS_BYTES;
  }

  private Map<String, String> carried(UriKind kind) {
    return switch (kind) {
      case VARIANT, RENDITION, I_FRAME_VARIANT, IMAGE_VARIANT -> carriedVariables.ofPlaylist();
      // Players compare it with the rendition's link in the multivariant playlist.
      case RENDITION_REPORT -> carriedOn;
      case ASSET,
          ASSET_LIST,
          STEERING,
          SEGMENT,
          PART,
          PRELOAD_HINT,
          MAP,
          KEY,
          SESSION_KEY,
          SESSION_DATA ->
          ofLine;
    };
  }
}
