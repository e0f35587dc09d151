package dev.millrace.proxy;

import java.util.Optional;

/**
 * Which part of the body is wanted: what {@code h_range} says, else what the client says.
 *
 * @param range absent: everything
 * @param ifRange the condition of the range (RFC 9110 §13.1.5); only with a range
 */
public record RangeRequest(Optional<ByteRange> range, Optional<String> ifRange) {
  public static final RangeRequest NONE = new RangeRequest(Optional.empty(), Optional.empty());

  /**
   * Reads the range of a request.
   *
   * @param clientRange the client's {@code Range}; blank counts as absent
   * @param clientIfRange the client's {@code If-Range}; blank counts as absent
   * @throws RangeNotSatisfiableException if the client's range cannot be read (416)
   * @throws BadParameterException if {@code h_range} cannot be read (400)
   */
  public static RangeRequest of(
      ProxyParameters parameters, Optional<String> clientRange, Optional<String> clientIfRange)
      throws RangeNotSatisfiableException, BadParameterException {
    Optional<String> given = parameters.requestHeaders().first("range");
    Optional<ByteRange> range =
        given.isPresent() ? ofParameter(given.get()) : ByteRange.parse(clientRange.orElse(""));
    if (range.isEmpty()) {
      return NONE;
    }
    Optional<String> condition =
        parameters
            .requestHeaders()
            .first("if-range")
            .or(() -> clientIfRange)
            .filter(value -> !value.isBlank() && FieldSyntax.isValue(value));
    return new RangeRequest(range, condition);
  }

  private static Optional<ByteRange> ofParameter(String value) throws BadParameterException {
    try {
      return ByteRange.parse(value);
    } catch (RangeNotSatisfiableException e) {
      throw new BadParameterException("h_range", "not a range (expected: as in bytes=0-499)", e);
    }
  }
}
