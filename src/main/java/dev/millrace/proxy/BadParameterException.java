package dev.millrace.proxy;

import dev.millrace.stream.ExchangeException;

/** A parameter of the request cannot be used; answered 400, nothing is sent to an origin. */
public final class BadParameterException extends ExchangeException {
  private static final long serialVersionUID = 1L;
  private static final int MAX_NAME_LENGTH = 64;

  private final String parameter;

  /**
   * Names the parameter and what is wrong with it.
   *
   * @param parameter its name as the client wrote it; shown shortened and in printable ASCII
   * @param problem as in "not a range (expected: bytes=0-499)"; never the value, which may be a
   *     secret
   */
  public BadParameterException(String parameter, String problem) {
    super(400, "bad_parameter", Hop.CLIENT, printable(parameter) + ": " + problem);
    this.parameter = printable(parameter);
  }

  /** With the exception that found it out. */
  BadParameterException(String parameter, String problem, Throwable cause) {
    super(400, "bad_parameter", Hop.CLIENT, printable(parameter) + ": " + problem, null, cause);
    this.parameter = printable(parameter);
  }

  /** A parameter of a link, of which whoever uses the link is told nothing. */
  public static BadParameterException inLink() {
    return new BadParameterException(
        "token", "leads to nothing (expected: a link whose parameters work without one)");
  }

  /** The name of the parameter, printable. */
  public String parameter() {
    return parameter;
  }

  private static String printable(String name) {
    String shown = name.length() > MAX_NAME_LENGTH ? name.substring(0, MAX_NAME_LENGTH) : name;
    return shown.replaceAll("[^\\x20-\\x7e]", "?");
  }
}
