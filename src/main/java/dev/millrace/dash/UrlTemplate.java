package dev.millrace.dash;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A pattern of addresses (ISO/IEC 23009-1 §5.3.9.4.4), compiled once and expanded often. What does
 * not vary between segments ({@code $RepresentationID$}, {@code $Bandwidth$}) is already replaced.
 */
public final class UrlTemplate {
  /** Digits that a format tag may ask for. */
  public static final int MAX_WIDTH = 64;

  private static final Pattern DOLLARS = Pattern.compile("\\$([^$]*)\\$|\\$");
  private static final Pattern IDENTIFIER = Pattern.compile("([A-Za-z]+)(?:%0?(\\d{0,4})d)?");

  private enum Identifier {
    NUMBER,
    TIME,
    SUB_NUMBER;

    private static Identifier of(String name) {
      return switch (name) {
        case "Number" -> NUMBER;
        case "Time" -> TIME;
        case "SubNumber" -> SUB_NUMBER;
        default ->
            throw new IllegalArgumentException(
                "identifier: " + name + " (expected: Number, Time or SubNumber)");
      };
    }
  }

  /** Text, and the identifier after it; the last one has none. */
  private record Piece(String text, Optional<Identifier> identifier, int width) {}

  private final String text;
  private final List<Piece> pieces;

  private UrlTemplate(String text, List<Piece> pieces) {
    this.text = text;
    this.pieces = List.copyOf(pieces);
  }

  /**
   * Puts in what is the same for all segments. In what comes out a dollar that is text still stands
   * twice.
   *
   * @return empty if there is an identifier that nobody knows, or a width above {@link #MAX_WIDTH}
   */
  static Optional<String> bind(String template, String representationId, long bandwidth) {
    Matcher dollars = DOLLARS.matcher(template);
    StringBuilder bound = new StringBuilder();
    while (dollars.find()) {
      Optional<String> replacement = bound(dollars, representationId, bandwidth);
      if (replacement.isEmpty()) {
        return Optional.empty();
      }
      dollars.appendReplacement(bound, Matcher.quoteReplacement(replacement.get()));
    }
    return Optional.of(dollars.appendTail(bound).toString());
  }

  private static Optional<String> bound(Matcher dollars, String id, long bandwidth) {
    if (isText(dollars)) {
      return Optional.of("$$");
    }
    Matcher identifier = IDENTIFIER.matcher(dollars.group(1));
    if (!identifier.matches() || width(identifier) > MAX_WIDTH) {
      return Optional.empty();
    }
    return switch (identifier.group(1)) {
      case "RepresentationID" -> Optional.of(id.replace("$", "$$"));
      case "Bandwidth" -> Optional.of(padded(bandwidth, width(identifier)));
      case "Number", "Time", "SubNumber" -> Optional.of(dollars.group());
      default -> Optional.empty();
    };
  }

  /** Two dollars, or one without a partner. */
  private static boolean isText(Matcher dollars) {
    return dollars.group().length() <= 2;
  }

  private static int width(Matcher identifier) {
    String width = identifier.group(2);
    return width == null || width.isEmpty() ? 1 : Integer.parseInt(width);
  }

  /** Of a text that {@link #bind} gave, or that was made absolute since. */
  static UrlTemplate compile(String bound) {
    List<Piece> pieces = new ArrayList<>();
    Matcher dollars = DOLLARS.matcher(bound);
    StringBuilder literal = new StringBuilder();
    while (dollars.find()) {
      dollars.appendReplacement(literal, "");
      if (isText(dollars)) {
        literal.append('$');
        continue;
      }
      Matcher identifier = IDENTIFIER.matcher(dollars.group(1));
      if (!identifier.matches()) {
        throw new IllegalArgumentException(
            "bound: an unknown identifier (expected: what bind gives)");
      }
      pieces.add(
          new Piece(
              literal.toString(),
              Optional.of(Identifier.of(identifier.group(1))),
              width(identifier)));
      literal.setLength(0);
    }
    pieces.add(new Piece(dollars.appendTail(literal).toString(), Optional.empty(), 0));
    return new UrlTemplate(bound, pieces);
  }

  private static String padded(long value, int width) {
    String digits = Long.toString(value);
    return "0".repeat(Math.max(0, width - digits.length())) + digits;
  }

  /** Whether segments are addressed part by part ({@code $SubNumber$}). */
  boolean hasSubNumber() {
    return pieces.stream()
        .anyMatch(piece -> piece.identifier().equals(Optional.of(Identifier.SUB_NUMBER)));
  }

  /** The address of one segment. */
  public String expand(long number, long time) {
    return expand(number, time, 1);
  }

  /**
   * The address of one part of a segment.
   *
   * @param subNumber the first one is 1
   */
  String expand(long number, long time, long subNumber) {
    StringBuilder url = new StringBuilder(text.length() + 20);
    for (Piece piece : pieces) {
      url.append(piece.text());
      if (piece.identifier().isPresent()) {
        long value =
            switch (piece.identifier().get()) {
              case NUMBER -> number;
              case TIME -> time;
              case SUB_NUMBER -> subNumber;
            };
        url.append(padded(value, piece.width()));
      }
    }
    return url.toString();
  }

  /** As it stands in the MPD, but absolute and bound. */
  @Override
  public String toString() {
    return text;
  }
}
