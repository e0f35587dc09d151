package dev.millrace.proxy;

import dev.millrace.stream.ExchangeException;
import java.util.List;
import java.util.Optional;

/**
 * A parameter is missing or is not of its type; answered 422 with the list that clients of the
 * older program know: {@code {"detail":[{"type":…,"loc":["query",name],"msg":…,"input":…}]}}.
 */
public final class ValidationException extends ExchangeException {
  private static final long serialVersionUID = 1L;
  private static final int MAX_INPUT_LENGTH = 64;

  private final String type;
  private final String parameter;
  private final String input;
  private final boolean hasInput;

  private ValidationException(
      String type, String parameter, String msg, boolean hasInput, String input) {
    super(422, "validation", Hop.CLIENT, msg);
    this.type = type;
    this.parameter = parameter;
    this.hasInput = hasInput;
    this.input = input.length() > MAX_INPUT_LENGTH ? input.substring(0, MAX_INPUT_LENGTH) : input;
  }

  /** A required query parameter is not there, or is empty. */
  public static ValidationException missing(String parameter) {
    return new ValidationException("missing", parameter, "Field required", false, "");
  }

  /** A switch is neither on nor off. */
  public static ValidationException notBoolean(String parameter, String input) {
    return new ValidationException(
        "bool_parsing",
        parameter,
        "Input should be a valid boolean, unable to interpret input",
        true,
        input);
  }

  /** A number is none. */
  public static ValidationException notNumber(String parameter, String input) {
    return new ValidationException(
        "float_parsing",
        parameter,
        "Input should be a valid number, unable to parse string as a number",
        true,
        input);
  }

  /** The same without what was sent, which a link may have hidden from whoever uses it. */
  public ValidationException withoutInput() {
    return new ValidationException(type, parameter, msg(), false, "");
  }

  /** {@code missing}, {@code bool_parsing} or {@code float_parsing}. */
  public String type() {
    return type;
  }

  /** Where it should stand: {@code ["query", name]}. */
  public List<String> loc() {
    return List.of("query", parameter);
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
