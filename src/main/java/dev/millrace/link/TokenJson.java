package dev.millrace.link;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/**
 * The JSON object in a token (RFC 8259), read member by member. Of members of one name the last
 * wins. Every failure is a {@link LinkTokenException}.
 */
final class TokenJson implements AutoCloseable {
  /** Names come from outside: none is kept in tables that all readers share. */
  private static final JsonFactory FACTORY =
      JsonFactory.builder().disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES).build();

  private static final String MALFORMED = "malformed";

  private final JsonParser parser;

  private TokenJson(JsonParser parser) {
    this.parser = parser;
  }

  /** What is done with a member; the reader stands at its value. */
  interface Member {
    void read(String name, TokenJson value) throws LinkTokenException;
  }

  /** Reads a text that is one object. */
  static void read(String json, Member member) throws LinkTokenException {
    try (TokenJson reader = new TokenJson(FACTORY.createParser(ObjectReadContext.empty(), json))) {
      reader.parser.nextToken();
      reader.members(member);
      require(reader.parser.nextToken() == null);
    } catch (JacksonException e) {
      throw malformed();
    }
  }

  /** The value as parameters: an object that is not nested. */
  Map<String, String> parameters() throws LinkTokenException {
    Map<String, String> parameters = new LinkedHashMap<>();
    members((name, value) -> value.parameter(name, parameters));
    return parameters;
  }

  /** Puts the value with the parameters; {@code null} counts as left out. */
  void parameter(String name, Map<String, String> parameters) throws LinkTokenException {
    Optional<String> text = scalar();
    if (text.isEmpty()) {
      parameters.remove(name);
      return;
    }
    require(isText(name) && isText(text.get()));
    parameters.put(name, text.get());
    if (parameters.size() > LinkTokens.MAX_PARAMETERS) {
      throw new LinkTokenException("too_many_parameters");
    }
  }

  /** The value as a text; absent: {@code null}. */
  Optional<String> text() throws LinkTokenException {
    boolean isNull = parser.currentToken() == JsonToken.VALUE_NULL;
    require(isNull || parser.currentToken() == JsonToken.VALUE_STRING);
    return scalar();
  }

  /** The value as seconds since 1970, what is below one left out; absent: {@code null}. */
  Optional<Instant> instant() throws LinkTokenException {
    try {
      return switch (parser.currentToken()) {
        case VALUE_NULL -> Optional.empty();
        case VALUE_NUMBER_INT -> Optional.of(Instant.ofEpochSecond(parser.getLongValue()));
        case VALUE_NUMBER_FLOAT ->
            Optional.of(Instant.ofEpochSecond((long) Math.floor(parser.getDoubleValue())));
        default -> throw malformed();
      };
    } catch (DateTimeException e) {
      throw malformed();
    }
  }

  static LinkTokenException malformed() {
    return new LinkTokenException(MALFORMED);
  }

  private void members(Member member) throws LinkTokenException {
    require(parser.currentToken() == JsonToken.START_OBJECT);
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      require(parser.currentToken() == JsonToken.PROPERTY_NAME);
      String name = parser.currentName();
      parser.nextToken();
      member.read(name, this);
    }
  }

  private Optional<String> scalar() throws LinkTokenException {
    return switch (parser.currentToken()) {
      case VALUE_NULL -> Optional.empty();
      case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT, VALUE_TRUE, VALUE_FALSE ->
          Optional.of(parser.getString());
      default -> throw malformed();
    };
  }

  /** Escapes can say what UTF-8 cannot: half of a surrogate pair. */
  private static boolean isText(String text) {
    return text.codePoints()
        .noneMatch(c -> Character.MIN_SURROGATE <= c && c <= Character.MAX_SURROGATE);
  }

  private static void require(boolean condition) throws LinkTokenException {
    if (!condition) {
      throw malformed();
    }
  }

  @Override
  public void close() {
    parser.close();
  }
}
