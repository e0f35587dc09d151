package dev.millrace.hls;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.stream.ByteBuilder;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields that a list of channels wants the request for one of them to have, as edits that
 * change nothing: the link of the channel carries them as parameters, {@code h_} and the name in
 * lower case. No standard has them; this is what players do:
 *
 * <ul>
 *   <li>{@code #EXTVLCOPT:http-referrer=…}, {@code http-user-agent}, {@code http-origin}, {@code
 *       http-cookie} on lines before an address are for that address, literally;
 *   <li>{@code address|Name=value&Name=value}: form-encoded; these win.
 * </ul>
 *
 * <p>Left out: what cannot be a field's name or value, values that are empty, ranges, what is an
 * option of the player and no field, and of one channel what goes beyond {@value #MAX_FIELDS}
 * fields or {@value #MAX_FIELD_CHARACTERS} characters. Found while it is read; each iterator reads
 * the list anew.
 */
public final class ChannelFields implements Iterable<Edit> {
  /** Most fields of one channel. */
  static final int MAX_FIELDS = 32;

  /** Names and values of one channel together. */
  static final int MAX_FIELD_CHARACTERS = 4 << 10;

  /** Between an address and its fields. */
  private static final byte BAR = '|';

  private static final String PREFIX = "h_";
  private static final String OPTION = "#extvlcopt:";
  private static final Map<String, String> OPTIONS =
      Map.of(
          "http-user-agent", "user-agent",
          "http-referrer", "referer",
          "http-referer", "referer",
          "http-origin", "origin",
          "http-cookie", "cookie");

  /** How the player that has begun with this form is to fetch; ranges are the client's. */
  private static final Set<String> NO_FIELDS =
      Set.of(
          "acceptencoding",
          "active-remote",
          "auth",
          "connection-timeout",
          "customrequest",
          "encoding",
          "failonerror",
          "if-range",
          "noshout",
          "postdata",
          "range",
          "redirect-limit",
          "seekable",
          "sslcipherlist",
          "verifypeer");

  private final PlaylistText text;

  public ChannelFields(PlaylistText text) {
    this.text = text;
  }

  /** Bytes of an entry that are its address: up to the bar, if it has one, and blanks before. */
  public static int addressLength(ByteBuilder entry) {
    int end = 0;
    while (end < entry.length() && entry.at(end) != BAR) {
      end++;
    }
    while (end > 0 && entry.at(end - 1) == ' ') {
      end--;
    }
    return end;
  }

  @Override
  public Iterator<Edit> iterator() {
    return new Entries(new PlaylistLines(text));
  }

  private static final class Entries implements Iterator<Edit> {
    private final PlaylistLines lines;
    private final Map<String, String> fields = new LinkedHashMap<>();
    private @Nullable Edit next;

    Entries(PlaylistLines lines) {
      this.lines = lines;
    }

    @Override
    public boolean hasNext() {
      while (next == null && lines.next()) {
        String line = lines.text();
        if (line.startsWith("#")) {
          readOption(line);
        } else if (lines.kind() == LineKind.ADDRESS) {
          endEntry(line);
        }
      }
      return next != null;
    }

    private void readOption(String line) {
      int equals = line.indexOf('=');
      if (equals > 0 && line.regionMatches(true, 0, OPTION, 0, OPTION.length())) {
        String option = line.substring(OPTION.length(), Math.max(OPTION.length(), equals));
        String name = OPTIONS.get(option.strip().toLowerCase(Locale.ROOT));
        if (name != null) {
          put(name, line.substring(equals + 1));
        }
      }
    }

    private void endEntry(String line) {
      int bar = line.indexOf(BAR);
      if (bar >= 0) {
        for (String pair : line.substring(bar + 1).split("&", -1)) {
          int equals = pair.indexOf('=');
          if (equals > 0) {
            put(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
          }
        }
      }
      if (!fields.isEmpty()) {
        next = new Edit(lines.from(), lines.from(), "", carried());
        fields.clear();
      }
    }

    private void put(String given, String value) {
      String lower = given.strip().toLowerCase(Locale.ROOT);
      String name = lower.equals("referrer") ? "referer" : lower;
      String wanted = value.strip();
      if (isName(name) && !NO_FIELDS.contains(name) && isValue(wanted)) {
        fields.put(name, wanted);
      }
    }

    private Map<String, String> carried() {
      Map<String, String> carried = new LinkedHashMap<>();
      int characters = 0;
      for (Map.Entry<String, String> field : fields.entrySet()) {
        characters += field.getKey().length() + field.getValue().length();
        if (carried.size() < MAX_FIELDS && characters <= MAX_FIELD_CHARACTERS) {
          carried.put(PREFIX + field.getKey(), field.getValue());
        }
      }
      return carried;
    }

    @Override
    public Edit next() {
      if (!hasNext() || next == null) {
        throw new NoSuchElementException();
      }
      Edit found = next;
      next = null;
      return found;
    }
  }

  /** A token (RFC 9110 §5.6.2). */
  private static boolean isName(String name) {
    return !name.isEmpty()
        && name.chars()
            .allMatch(
                c ->
                    (c >= 'a' && c <= 'z')
                        || (c >= '0' && c <= '9')
                        || "!#$%&'*+-.^_`|~".indexOf(c) >= 0);
  }

  private static boolean isValue(String value) {
    return !value.isEmpty() && value.chars().noneMatch(c -> (c < ' ' && c != '\t') || c == 0x7f);
  }

  /** As forms are; an escape that is none stands for itself. */
  private static String decoded(String text) {
    ByteBuilder decoded = new ByteBuilder(text.length());
    byte[] bytes = text.replace('+', ' ').getBytes(UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      int high = bytes[i] == '%' && i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
      int low = high < 0 ? -1 : Character.digit(bytes[i + 2], 16);
      if (low < 0) {
        decoded.append(bytes[i]);
      } else {
        decoded.append((byte) (high * 16 + low));
        i += 2;
      }
    }
    return decoded.toString();
  }
}
