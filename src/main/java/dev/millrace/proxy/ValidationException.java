package dev.millrace.proxy;

import dev.millrace.stream.ExchangeException;
import java.util.List;
import java.util.Optional;

/**
 * A parameter, or a property of a JSON body, is missing or is not of its type; answered 422 with
 * the list that clients of the older program know: {@code
 * {"detail":[{"type":…,"loc":["query",name],"msg":…,"input":…}]}}.
 */
public final class ValidationException extends ExchangeException {
  private static final long serialVersionUID = 1L;
  private static final int MAX_INPUT_LENGTH = 64;
  private static final String MISSING = "missing";
  private static final String REQUIRED = "Field required";

  private final String type;
  private final transient List<Object> loc;
  private final String input;
  private final boolean hasInput;

  private ValidationException(
      String type, List<Object> loc, String msg, boolean hasInput, String input) {
    super(422, "validation", Hop.CLIENT, msg);
    this.type = type;
    this.loc = List.copyOf(loc);
    this.hasInput = hasInput;
    this.input = input.length() > MAX_INPUT_LENGTH ? input.substring(0, MAX_INPUT_LENGTH) : input;
  }

  private static List<Object> inQuery(String parameter) {
    return List.of("query", parameter);
  }

  /** A required query parameter is not there, or is empty. */
  public static ValidationException missing(String parameter) {
    return new ValidationException(MISSING, inQuery(parameter), REQUIRED, false, "");
  }

  /** A switch is neither on nor off. */
  public static ValidationException notBoolean(String parameter, String input) {
    return new ValidationException(
        "bool_parsing",
        inQuery(parameter),
        "Input should be a valid boolean, unable to interpret input",
        true,
        input);
  }

  /** A number is none. */
  public static ValidationException notNumber(String parameter, String input) {
    return new ValidationException(
        "float_parsing",
        inQuery(parameter),
        "Input should be a valid number, unable to parse string as a number",
        true,
        input);
  }

  /** A text is not of the form that it should have. */
  public static ValidationException notMatching(String parameter, String pattern, String input) {
    return new ValidationException(
        "string_pattern_mismatch",
        inQuery(parameter),
        "String should match pattern '" + pattern + "'",
        true,
        input);
  }

  /**
   * A text means nothing.
   *
   * @param msg what is wrong and what is expected; never a value
   */
  public static ValidationException badValue(String parameter, String msg, String input) {
    return new ValidationException("value_error", inQuery(parameter), msg, true, input);
  }

  /** The same without what was sent, which a link may have hidden from whoever uses it. */
  public ValidationException withoutInput() {
    return new ValidationException(type, loc, msg(), false, "");
  }

  /**
   * A required property of the body is not there, or is empty.
   *
   * @param loc as {@link #loc}
   */
  public static ValidationException missingInBody(List<Object> loc) {
    return new ValidationException(MISSING, loc, REQUIRED, false, "");
  }

  /**
   * Something in the body cannot be used. What was sent instead is never shown: passwords and
   * signed addresses are sent in bodies.
   *
   * @param type short word in snake case
   * @param loc as {@link #loc}
   * @param msg what is wrong and what is expected; never a value
   */
  public static ValidationException inBody(String type, List<Object> loc, String msg) {
    return new ValidationException(type, loc, msg, false, "");
  }

  /** {@code missing}, {@code bool_parsing}, {@code json_invalid} and the like. */
  public String type() {
    return type;
  }

  /**
   * Where it should stand: {@code ["query", name]}, or {@code "body"} followed by the names of
   * properties and, as numbers, the indexes of elements; in text that is no JSON the offset.
   */
  public List<Object> loc() {
    return loc;
  }

  /** One sentence; the same as {@link #getMessage()}. */
  public String msg() {
    return String.valueOf(getMessage());
  }

  /** What was sent instead, at most {@value #MAX_INPUT_LENGTH} characters; absent: JSON null. */
  public Optional<String> input() {
    return hasInput ? Optional.of(input) : Optional.empty();
  }
}
