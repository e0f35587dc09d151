package dev.millrace.proxy;

import dev.millrace.cenc.ContentKey;
import dev.millrace.cenc.KeyId;
import dev.millrace.cenc.KeyRing;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The keys that a request brings along. Accepted are, in any of the forms of {@link KeyText}:
 *
 * <ul>
 *   <li>{@code key_id=a,b&key=c,d}: lists of one length; empty entries do not count;
 *   <li>{@code key_id=a,b&key=c}: one key for all of them;
 *   <li>{@code key=c}: one key for whatever there is;
 *   <li>{@code key=a:c,b:d}: ids and keys together;
 *   <li>{@code key={"keys":[…]}}: a set of JSON web keys ({@link JsonWebKeys}).
 * </ul>
 *
 * @param ring what they are, for who decrypts
 * @param keyIds the same as text for {@code key_id} of a link, in one form: hexadecimal digits,
 *     separated by commas; may be empty
 * @param keys the same for {@code key}: secret
 */
public record KeyParameters(KeyRing ring, String keyIds, String keys) {
  /** Of ids, or of all entries of a set. */
  public static final String KEY_ID = "key_id";

  /** Of keys. */
  public static final String KEY = "key";

  /** More are refused. */
  public static final int MAX_KEYS = 256;

  /** No key. */
  public static final KeyParameters NONE = new KeyParameters(KeyRing.EMPTY, "", "");

  /** Names none, and so stands for all if it has the only key. */
  private static final byte[] ANY = new byte[KeyId.BYTES];

  private static final String FORMS =
      "expected: 32 hexadecimal digits, a UUID, or 16 bytes in Base64";

  /**
   * The parameters {@code key_id} and {@code key}.
   *
   * @return {@link #NONE} if both are missing or empty
   * @throws BadParameterException if they cannot be used, naming the parameter and the position,
   *     never a value
   */
  public static KeyParameters of(QueryParameters query) throws BadParameterException {
    return of(query.value(KEY_ID).orElse(""), query.value(KEY).orElse(""));
  }

  /**
   * The same of their values.
   *
   * @param keyIds value of {@code key_id}; empty: missing
   * @param keys value of {@code key}; empty: missing
   */
  public static KeyParameters of(String keyIds, String keys) throws BadParameterException {
    List<Entry> ids = entries(KEY_ID, keyIds);
    if (keys.strip().startsWith("{") && keys.indexOf('"') >= 0) {
      requireNone(ids);
      return ofSet(keys);
    }
    List<Entry> secrets = entries(KEY, keys);
    if (ids.isEmpty() && secrets.isEmpty()) {
      return NONE;
    }
    boolean isCombined = ids.isEmpty() && secrets.stream().anyMatch(Entry::isPair);
    return isCombined ? ofPairs(secrets) : ofLists(ids, secrets);
  }

  private static List<Entry> entries(String parameter, String list) throws BadParameterException {
    List<Entry> entries = new ArrayList<>();
    int position = 0;
    for (String text : list.split(",", -1)) {
      position++;
      if (!text.isBlank()) {
        entries.add(new Entry(parameter, position, text.strip()));
      }
      if (entries.size() > MAX_KEYS) {
        throw tooMany(parameter);
      }
    }
    return entries;
  }

  private static KeyParameters ofLists(List<Entry> ids, List<Entry> secrets)
      throws BadParameterException {
    if (secrets.isEmpty()) {
      throw new BadParameterException(KEY, "missing (expected: a key for each " + KEY_ID + ")");
    }
    boolean isOneForAll = secrets.size() == 1;
    if (!isOneForAll && ids.isEmpty()) {
      throw new BadParameterException(
          KEY_ID, "missing (expected: the id of each of " + secrets.size() + " keys)");
    }
    if (!isOneForAll && ids.size() != secrets.size()) {
      throw new BadParameterException(
          KEY,
          "has "
              + secrets.size()
              + " entries, "
              + KEY_ID
              + " has "
              + ids.size()
              + " (expected: as many, or one key)");
    }
    Collected collected = new Collected();
    if (ids.isEmpty()) {
      collected.add(secrets.get(0), ANY, secrets.get(0).bytes());
    }
    for (int i = 0; i < ids.size(); i++) {
      Entry secret = secrets.get(isOneForAll ? 0 : i);
      collected.add(ids.get(i), ids.get(i).bytes(), secret.bytes());
    }
    return collected.parameters();
  }

  private static KeyParameters ofPairs(List<Entry> pairs) throws BadParameterException {
    Collected collected = new Collected();
    for (Entry pair : pairs) {
      if (!pair.isPair()) {
        throw pair.bad("is a key without an id (expected: as in id:key, like the others)");
      }
      collected.add(pair, pair.id().bytes(), pair.secret().bytes());
    }
    return collected.parameters();
  }

  private static KeyParameters ofSet(String text) throws BadParameterException {
    List<JsonWebKeys.Entry> set =
        JsonWebKeys.read(text)
            .filter(entries -> !entries.isEmpty())
            .orElseThrow(
                () ->
                    new BadParameterException(
                        KEY,
                        "not a set of JSON web keys (expected: an object whose \"keys\" have kty"
                            + " \"oct\", kid and k)"));
    if (set.size() > MAX_KEYS) {
      throw tooMany(KEY);
    }
    Collected collected = new Collected();
    for (JsonWebKeys.Entry key : set) {
      Entry id = new Entry(KEY, key.position(), key.kid().orElse(""));
      Entry secret = new Entry(KEY, key.position(), key.k().orElse(""));
      boolean isAny = key.kid().isEmpty() && set.size() == 1;
      collected.add(id, isAny ? ANY : id.bytes(), secret.bytes());
    }
    return collected.parameters();
  }

  private static void requireNone(List<Entry> ids) throws BadParameterException {
    if (!ids.isEmpty()) {
      throw new BadParameterException(
          KEY_ID, "not to be used with a set of keys (expected: kid in each of them)");
    }
  }

  private static BadParameterException tooMany(String parameter) {
    return new BadParameterException(
        parameter, "has too many entries (expected: at most " + MAX_KEYS + ")");
  }

  public boolean isEmpty() {
    return ring.isEmpty();
  }

  /** Without the keys. */
  @Override
  public String toString() {
    return "KeyParameters[" + ring + "]";
  }

  /**
   * An entry of a list.
   *
   * @param position in the list as it is written, 1 for the first
   */
  private record Entry(String parameter, int position, String text) {
    private static final String URN = "urn:uuid:";

    byte[] bytes() throws BadParameterException {
      return KeyText.bytes(text).orElseThrow(() -> bad("is not 16 bytes (" + FORMS + ")"));
    }

    boolean isPair() {
      return text.indexOf(':', text.regionMatches(true, 0, URN, 0, URN.length()) ? URN.length() : 0)
          >= 0;
    }

    Entry id() {
      return new Entry(parameter, position, text.substring(0, text.lastIndexOf(':')));
    }

    Entry secret() {
      return new Entry(parameter, position, text.substring(text.lastIndexOf(':') + 1));
    }

    BadParameterException bad(String problem) {
      return new BadParameterException(parameter, "entry " + position + " " + problem);
    }

    /** Without the text. */
    @Override
    public String toString() {
      return parameter + " " + position;
    }
  }

  /** What has been read, in its order. */
  private static final class Collected {
    private final Map<KeyId, ContentKey> ring = new LinkedHashMap<>();
    private final Map<KeyId, String> texts = new LinkedHashMap<>();

    void add(Entry entry, byte[] id, byte[] secret) throws BadParameterException {
      KeyId keyId = KeyId.of(id);
      ContentKey key = ContentKey.of(secret);
      ContentKey other = ring.put(keyId, key);
      if (other != null && !other.equals(key)) {
        throw entry.bad("has the id of another one (expected: one key for an id)");
      }
      texts.put(keyId, HexFormat.of().formatHex(secret));
    }

    KeyParameters parameters() {
      boolean isAny = ring.size() == 1 && ring.keySet().iterator().next().isZero();
      return new KeyParameters(
          KeyRing.of(ring),
          isAny
              ? ""
              : texts.keySet().stream().map(KeyId::toString).collect(Collectors.joining(",")),
          String.join(",", texts.values()));
    }
  }
}
