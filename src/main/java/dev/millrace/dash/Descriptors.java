package dev.millrace.dash;

import dev.millrace.dash.Representation.ContentProtection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/** What descriptors (ISO/IEC 23009-1 §5.8) say of a set or a representation. */
final class Descriptors {
  private static final String TRICK_MODE = "http://dashif.org/guidelines/trickmode";
  private static final String THUMBNAILS = "http://dashif.org/guidelines/thumbnail_tile";
  private static final String CICP = "urn:mpeg:mpegb:cicp:";
  private static final String TRANSFER = CICP + "transfercharacteristics";

  /** Segments in parts ({@code $SubNumber$}), which we can list. */
  private static final String SEGMENT_SEQUENCES = "urn:mpeg:dash:ssr:2023";

  /** What one may be bound to understand, and we do. */
  private static final Set<String> UNDERSTOOD =
      Set.of(
          TRICK_MODE,
          THUMBNAILS,
          "http://dashif.org/thumbnail_tile",
          TRANSFER,
          CICP + "colourprimaries",
          CICP + "matrixcoefficients",
          CICP + "videofullrangeflag",
          SEGMENT_SEQUENCES);

  /** Speakers of the layouts 0 to 20 of ISO/IEC 23091-3 table 10; 0: not known. */
  private static final int[] CICP_CHANNELS = {
    0, 1, 2, 3, 4, 5, 6, 8, 2, 3, 4, 7, 8, 24, 8, 12, 10, 12, 14, 12, 14
  };

  /** Bits that stand for two speakers in ETSI TS 102 366 §I.1.2.1, the highest bit is bit 0. */
  private static final List<Integer> PAIRS = List.of(5, 6, 9, 10, 11, 13);

  private Descriptors() {}

  /** Its scheme in small letters; they are compared so. */
  static String scheme(MpdElement descriptor) {
    return descriptor.attribute("schemeIdUri").orElse("").toLowerCase(Locale.ROOT);
  }

  static boolean isTrickMode(MpdElement element) {
    return properties(element).anyMatch(property -> scheme(property).equals(TRICK_MODE));
  }

  static boolean isThumbnails(MpdElement element) {
    return properties(element).anyMatch(property -> scheme(property).endsWith("thumbnail_tile"));
  }

  /** Whether it must not be played by those who do not know something that we do not (§5.8.4.8). */
  static boolean needsUnknown(MpdElement element) {
    return element
        .all("EssentialProperty")
        .anyMatch(property -> !UNDERSTOOD.contains(scheme(property)));
  }

  private static Stream<MpdElement> properties(MpdElement element) {
    return Stream.concat(element.all("EssentialProperty"), element.all("SupplementalProperty"));
  }

  /** By transfer characteristics (ISO/IEC 23091-2 §8.2), innermost first. */
  static Optional<String> videoRange(List<MpdElement> levels) {
    return levels.stream()
        .flatMap(Descriptors::properties)
        .filter(property -> scheme(property).equals(TRANSFER))
        .flatMap(property -> property.attribute("value").stream())
        .flatMap(value -> range(value).stream())
        .findFirst();
  }

  private static Optional<String> range(String transfer) {
    return switch (transfer) {
      case "16" -> Optional.of("PQ");
      case "18" -> Optional.of("HLG");
      case "1", "6", "13", "14", "15" -> Optional.of("SDR");
      default -> Optional.empty();
    };
  }

  /** The first configuration that can be read, innermost first. */
  static OptionalInt channels(List<MpdElement> levels) {
    return levels.stream()
        .flatMap(level -> level.all("AudioChannelConfiguration"))
        .mapToInt(Descriptors::channels)
        .filter(channels -> channels > 0)
        .findFirst();
  }

  /** 0 if it cannot be read. */
  private static int channels(MpdElement configuration) {
    String value = configuration.attribute("value").orElse("");
    boolean isNumber = value.matches("\\d{1,3}");
    return switch (scheme(configuration)) {
      case "urn:mpeg:dash:23003:3:audio_channel_configuration:2011",
          "urn:dts:dash:audio_channel_configuration:2012" ->
          isNumber ? Integer.parseInt(value) : 0;
      case "urn:mpeg:mpegb:cicp:channelconfiguration" ->
          isNumber && Integer.parseInt(value) < CICP_CHANNELS.length
              ? CICP_CHANNELS[Integer.parseInt(value)]
              : 0;
      case "tag:dolby.com,2014:dash:audio_channel_configuration:2011",
          "urn:dolby:dash:audio_channel_configuration:2011" ->
          value.matches("[0-9A-Fa-f]{4}") ? speakers(Integer.parseInt(value, 16)) : 0;
      default -> 0;
    };
  }

  private static int speakers(int mask) {
    int pairs = (int) PAIRS.stream().filter(bit -> (mask & 0x8000 >> bit) != 0).count();
    return Integer.bitCount(mask) + pairs;
  }

  /** Values of the roles of MPEG. */
  static List<String> roles(MpdElement set) {
    return set.all("Role")
        .filter(role -> scheme(role).startsWith("urn:mpeg:dash:role"))
        .flatMap(role -> role.attribute("value").stream())
        .distinct()
        .toList();
  }

  /** {@code scheme=value}. */
  static List<String> accessibilities(MpdElement set) {
    return set.all("Accessibility")
        .map(one -> scheme(one) + "=" + one.attribute("value").orElse(""))
        .distinct()
        .toList();
  }

  /** Those of the levels together, innermost first, each once. */
  static List<ContentProtection> protections(List<MpdElement> levels) {
    return levels.stream()
        .flatMap(level -> level.all("ContentProtection"))
        .map(
            one ->
                new ContentProtection(
                    scheme(one), one.attribute(":default_KID").flatMap(Lexical::keyId)))
        .distinct()
        .toList();
  }
}
