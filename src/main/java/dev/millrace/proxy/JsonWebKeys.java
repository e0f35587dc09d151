package dev.millrace.proxy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/**
 * Keys as a set of JSON web keys (RFC 7517 §5, Encrypted Media Extensions §9.1.4): {@code
 * {"keys":[{"kty":"oct","kid":…,"k":…}]}}. Keys of another type are passed over, as are members
 * that mean nothing here.
 */
final class JsonWebKeys {
  private static final JsonFactory JSON =
      JsonFactory.builder().disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES).build();

  /**
   * One of them, as it is written.
   *
   * @param position in the set, 1 for the first
   */
  record Entry(int position, Optional<String> kid, Optional<String> k) {
    /** Without the key. */
    @Override
    public String toString() {
      return "Entry[position=" + position + "]";
    }
  }

  private JsonWebKeys() {}

  /** Those of type {@code oct}, in their order; absent if the text is no such set. */
  static Optional<List<Entry>> read(String text) {
    try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), text)) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      Optional<List<Entry>> entries = Optional.empty();
      while (in.nextToken() == JsonToken.PROPERTY_NAME) {
        boolean isKeys = in.currentName().equals("keys");
        if (in.nextToken() == JsonToken.START_ARRAY && isKeys) {
          entries = Optional.of(set(in));
        } else {
          in.skipChildren();
        }
      }
      return in.nextToken() == null ? entries : Optional.empty();
    } catch (JacksonException e) {
      return Optional.empty(); // its message may show what was read
    }
  }

  private static List<Entry> set(JsonParser in) {
    List<Entry> entries = new ArrayList<>();
    for (int position = 1; in.nextToken() != JsonToken.END_ARRAY; position++) {
      if (in.currentToken() == JsonToken.START_OBJECT) {
        entry(in, position).ifPresent(entries::add);
      } else {
        in.skipChildren();
      }
    }
    return entries;
  }

  private static Optional<Entry> entry(JsonParser in, int position) {
    Optional<String> kid = Optional.empty();
    Optional<String> k = Optional.empty();
    boolean isOctets = true;
    while (in.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = in.currentName();
      if (in.nextToken() != JsonToken.VALUE_STRING) {
        in.skipChildren();
        continue;
      }
      switch (name) {
        case "kid" -> kid = Optional.of(in.getString());
        case "k" -> k = Optional.of(in.getString());
        case "kty" -> isOctets = in.getString().equals("oct");
        default -> {
          // use, alg and the like
        }
      }
    }
    return isOctets ? Optional.of(new Entry(position, kid, k)) : Optional.empty();
  }
}
