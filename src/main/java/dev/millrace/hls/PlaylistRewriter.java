package dev.millrace.hls;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.stream.ByteBuilder;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a playlist with other addresses in it, piece by piece, and everything else byte for byte:
 * line ends, blank lines, comments, unknown tags, order (RFC 8216bis §4.1). Which addresses there
 * are, {@link HlsTag} says; relative ones are made absolute before they are rewritten, and {@code
 * {$NAME}} in them is replaced (§4.3). Blanks round an address within quotes go with it.
 *
 * <p>What passes as it is: addresses of other schemes ({@code data:}, {@code skd:}); empty ones;
 * those of keys with {@code METHOD=NONE}; those longer than {@link #MAX_ADDRESS_BYTES} when they
 * are absolute; lines longer than {@link #MAX_LINE_BYTES}; in a line those after the first {@link
 * #MAX_ADDRESSES_OF_LINE}.
 *
 * <p>Memory: the longest line so far and its addresses. Never throws for what a playlist says.
 * Confined to one caller.
 */
public final class PlaylistRewriter {
  /** What the parameters that carry variables begin with; their name follows. */
  public static final String VARIABLE_PREFIX = "def_";

  /** Longest address that is rewritten, absolute, in bytes. */
  public static final int MAX_ADDRESS_BYTES = 8 << 10;

  /** Longest line in which addresses are rewritten, in bytes without its end. */
  public static final int MAX_LINE_BYTES = 64 << 10;

  /** Most addresses that are rewritten in one line; the standard has two. */
  public static final int MAX_ADDRESSES_OF_LINE = 16;

  private static final int LONGEST_END = 2;
  private static final byte LINE_FEED = '\n';
  private static final byte CARRIAGE_RETURN = '\r';

  private final PlaylistText text;
  private final Map<String, String> imported;
  private final BaseUri base;
  private final Iterator<Edit> edits;
  private final LineRewriter lines;
  private final PlaylistText.Cursor cursor;
  private final ByteBuilder line = new ByteBuilder(512);
  private @Nullable Map<String, String> carriedVariables;
  private @Nullable Edit nextEdit;
  private int skipTo;
  private Map<String, String> carried = Map.of();
  private byte[] insertion = new byte[0];
  private int inserted;
  private int untouched;
  private boolean isLineOpen;

  /**
   * At the beginning.
   *
   * @param baseUri where the playlist was found in the end, absolute
   * @param imported variables of the multivariant playlist that led here, by name
   * @param edits in rising order, without overlap; at most one is taken ahead
   * @param uris asked for each address
   */
  public PlaylistRewriter(
      PlaylistText text,
      String baseUri,
      Map<String, String> imported,
      Iterable<Edit> edits,
      UriRewriter uris) {
    this.text = text;
    this.imported = imported;
    this.base = BaseUri.of(baseUri);
    this.edits = edits.iterator();
    this.cursor = text.cursor();
    this.lines = new LineRewriter(base, variables(), this::carriedVariables, uris);
  }

  private Variables variables() {
    return new Variables(imported, base.query());
  }

  /** All of the playlist's, wherever in it they are defined. */
  private Map<String, String> carriedVariables() {
    if (carriedVariables == null) {
      Variables all = variables();
      LineRewriter reader = new LineRewriter(base, all, Map::of, (kind, uri, carried, out) -> {});
      ByteBuilder read = new ByteBuilder(512);
      PlaylistText.Cursor reading = text.cursor();
      while (reading.readLine(read.clear(), MAX_LINE_BYTES) > 0) {
        reader.skip(read);
      }
      carriedVariables = all.carried();
    }
    return carriedVariables;
  }

  /**
   * Appends the next piece: lines until there are {@code enoughBytes} or all is written. It is
   * longer by at most one line with its links.
   *
   * @param enoughBytes of this piece, at least 1
   * @return whether more is to come
   */
  public boolean write(ByteBuilder out, int enoughBytes) {
    int enough = out.length() + enoughBytes;
    while (out.length() < enough && hasMore()) {
      int before = out.length();
      step(out, enough);
      if (out.length() > before) {
        isLineOpen = out.at(out.length() - 1) != LINE_FEED;
      }
    }
    return hasMore();
  }

  private void step(ByteBuilder out, int enough) {
    if (untouched > 0) {
      writeUntouched(out, enough - out.length());
    } else if (inserted < insertion.length) {
      writeInserted(out);
    } else if (nextEdit != null && (nextEdit.from() <= cursor.position() || cursor.isAtEnd())) {
      begin(nextEdit, out);
    } else {
      writeLine(out);
    }
  }

  private boolean hasMore() {
    if (nextEdit == null && edits.hasNext()) {
      nextEdit = edits.next();
    }
    return untouched > 0 || inserted < insertion.length || nextEdit != null || !cursor.isAtEnd();
  }

  private void writeUntouched(ByteBuilder out, int maxBytes) {
    int count = Math.min(untouched, maxBytes);
    cursor.read(out, count);
    untouched -= count;
  }

  private void begin(Edit edit, ByteBuilder out) {
    nextEdit = null;
    skipTo = Math.max(skipTo, edit.to());
    carried = edit.carried();
    insertion = edit.insertion().getBytes(UTF_8);
    inserted = 0;
    if (isLineOpen && insertion.length > 0) {
      out.append(LINE_FEED); // after the last line
    }
  }

  private void writeInserted(ByteBuilder out) {
    int start = inserted;
    while (inserted < insertion.length && insertion[inserted++] != LINE_FEED) {}
    lines.write(line.clear().append(insertion, start, inserted - start), carried, out);
    if (inserted == insertion.length) {
      carried = Map.of();
    }
  }

  private void writeLine(ByteBuilder out) {
    int position = cursor.position();
    cursor.mark();
    int length = cursor.readLine(line.clear(), MAX_LINE_BYTES + LONGEST_END);
    if (position < skipTo) {
      lines.skip(line);
      return;
    }
    if (length - endLength(length) > MAX_LINE_BYTES) {
      lines.skipLong(line.at(0) == '#');
      cursor.reset();
      untouched = length;
    } else {
      lines.write(line, carried, out);
    }
    carried = Map.of();
  }

  private int endLength(int length) {
    if (length > line.length() || line.at(length - 1) != LINE_FEED) {
      return 0;
    }
    return length > 1 && line.at(length - 2) == CARRIAGE_RETURN ? 2 : 1;
  }
}
