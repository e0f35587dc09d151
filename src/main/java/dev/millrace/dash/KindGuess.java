package dev.millrace.dash;

import dev.millrace.dash.AdaptationSet.Kind;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a set is, from whatever it says of itself: pictures never pass for sound. The surest sign
 * first: video codecs, {@code @contentType}, other codecs, {@code @mimeType}, sizes and rates.
 */
final class KindGuess {
  private static final Set<String> VIDEO_CODECS =
      Set.of(
          "avc1", "avc2", "avc3", "avc4", "hev1", "hvc1", "dvh1", "dvhe", "dva1", "dvav", "av01",
          "dav1", "vp8", "vp9", "vp08", "vp09", "vp10", "vvc1", "vvi1", "mp4v", "mp2v", "mvc1",
          "theora", "lvc1", "evc1");
  private static final Set<String> AUDIO_CODECS =
      Set.of(
          "mp4a", "ac-3", "ec-3", "ac-4", "opus", "vorbis", "flac", "alac", "mp3", "samr", "sawb",
          "dtsc", "dtsh", "dtsl", "dtse", "dtsx", "dtsy", "mha1", "mha2", "mhm1", "mhm2", "iamf");
  private static final Set<String> TEXT_CODECS = Set.of("stpp", "wvtt", "ttml", "tx3g", "c608");
  private static final Pattern SEPARATOR = Pattern.compile("\\s*,\\s*");

  private KindGuess() {}

  /** Of a set and the representations in it. */
  static Kind of(MpdElement set) {
    List<MpdElement> levels = Stream.concat(Stream.of(set), set.all("Representation")).toList();
    if (levels.stream().anyMatch(Descriptors::isThumbnails)) {
      return Kind.IMAGE;
    }
    Stream<Function<MpdElement, Optional<Kind>>> signs =
        Stream.of(
            level -> byCodecs(level).filter(kind -> kind == Kind.VIDEO),
            KindGuess::byContentType,
            KindGuess::byCodecs,
            KindGuess::byMimeType,
            KindGuess::byShape);
    return signs
        .flatMap(sign -> levels.stream().flatMap(level -> sign.apply(level).stream()))
        .findFirst()
        .orElse(isSilent(levels) ? Kind.VIDEO : Kind.OTHER);
  }

  private static Optional<Kind> byCodecs(MpdElement level) {
    List<String> codecs =
        SEPARATOR
            .splitAsStream(level.attribute("codecs").orElse("").toLowerCase(Locale.ROOT))
            .map(codec -> codec.split("\\.", 2)[0])
            .toList();
    if (codecs.stream().anyMatch(VIDEO_CODECS::contains)) {
      return Optional.of(Kind.VIDEO);
    }
    if (codecs.stream().anyMatch(AUDIO_CODECS::contains)) {
      return Optional.of(Kind.AUDIO);
    }
    return codecs.stream().anyMatch(TEXT_CODECS::contains)
        ? Optional.of(Kind.TEXT)
        : Optional.empty();
  }

  /** Its own, or that of the first component. */
  private static Optional<Kind> byContentType(MpdElement level) {
    return Stream.concat(Stream.of(level), level.all("ContentComponent"))
        .flatMap(element -> element.attribute("contentType").stream())
        .flatMap(type -> byTopLevel(type).stream())
        .findFirst();
  }

  private static Optional<Kind> byMimeType(MpdElement level) {
    String type = level.attribute("mimeType").orElse("").toLowerCase(Locale.ROOT);
    if (type.contains("ttml") || type.contains("vtt")) {
      return Optional.of(Kind.TEXT);
    }
    return byTopLevel(type.split("/", 2)[0]);
  }

  private static Optional<Kind> byTopLevel(String type) {
    return switch (type.toLowerCase(Locale.ROOT)) {
      case "video" -> Optional.of(Kind.VIDEO);
      case "audio" -> Optional.of(Kind.AUDIO);
      case "text" -> Optional.of(Kind.TEXT);
      case "image" -> Optional.of(Kind.IMAGE);
      default -> Optional.empty();
    };
  }

  private static Optional<Kind> byShape(MpdElement level) {
    if (Stream.of("width", "height", "frameRate", "sar").anyMatch(name -> has(level, name))) {
      return Optional.of(Kind.VIDEO);
    }
    boolean isSound =
        has(level, "audioSamplingRate") || level.first("AudioChannelConfiguration").isPresent();
    return isSound ? Optional.of(Kind.AUDIO) : Optional.empty();
  }

  private static boolean has(MpdElement level, String attribute) {
    return level.attribute(attribute).isPresent();
  }

  /** Nothing is said at all: most likely it is the one thing that there is to play. */
  private static boolean isSilent(List<MpdElement> levels) {
    return levels.stream()
        .noneMatch(
            level ->
                Stream.of("mimeType", "contentType", "codecs").anyMatch(name -> has(level, name)));
  }

  /** For representations that do not say. */
  static String mimeType(Kind kind, String codecs) {
    return switch (kind) {
      case VIDEO -> "video/mp4";
      case AUDIO -> "audio/mp4";
      case TEXT -> codecs.isEmpty() ? "text/vtt" : "application/mp4";
      case IMAGE -> "image/jpeg";
      case OTHER -> "application/octet-stream";
    };
  }
}
