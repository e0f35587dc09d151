package dev.millrace.dash;

import dev.millrace.dash.AdaptationSet.Kind;
import dev.millrace.stream.MediaFormatException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the sets of an MPD and what is in them. One reader per MPD. */
final class AdaptationSetReader {
  /** Of all periods together; more are refused. */
  static final int MAX_REPRESENTATIONS = 50_000;

  private static final Pattern PARAMETERS = Pattern.compile("[;\\s].*", Pattern.DOTALL);
  private static final int MAX_PIXELS = 1 << 20;

  private final AddressingReader addressings = new AddressingReader();
  private int representations;

  /** The sets of one period, in their order. */
  List<AdaptationSet> sets(MpdElement period, BaseUrls base, boolean isUnusable)
      throws MediaFormatException {
    List<AdaptationSet> sets = new ArrayList<>();
    Map<String, Integer> profileIds = new HashMap<>();
    for (MpdElement set : period.all("AdaptationSet").toList()) {
      sets.add(set(new Place(period, set), base, profileIds, isUnusable));
    }
    return sets;
  }

  private record Place(MpdElement period, MpdElement set) {
    private String id() {
      return set.attribute("id").orElse("");
    }
  }

  private AdaptationSet set(
      Place place, BaseUrls outer, Map<String, Integer> profileIds, boolean isUnusable)
      throws MediaFormatException {
    MpdElement set = place.set();
    Kind kind = KindGuess.of(set);
    BaseUrls base = outer.with(set);
    List<Representation> read = new ArrayList<>();
    for (MpdElement element : set.all("Representation").toList()) {
      if (++representations > MAX_REPRESENTATIONS) {
        throw MediaFormatException.unsupported(
            "The MPD has more than " + MAX_REPRESENTATIONS + " representations");
      }
      if (!Descriptors.needsUnknown(element) && !Descriptors.isTrickMode(element)) {
        representation(place, element, kind, base.with(element)).ifPresent(read::add);
      }
    }
    return new AdaptationSet(
        place.id(),
        kind,
        Descriptors.isTrickMode(set),
        isUnusable || Descriptors.needsUnknown(set) || isRemote(set),
        attribute("lang", set),
        label(set),
        Descriptors.roles(set),
        Descriptors.accessibilities(set),
        read.stream().map(one -> one.withProfileId(unique(one.profileId(), profileIds))).toList());
  }

  /** It is elsewhere (§5.5), and nothing stands here in its place. */
  private static boolean isRemote(MpdElement set) {
    return set.attribute(":href").isPresent() && set.first("Representation").isEmpty();
  }

  private static Optional<String> attribute(String name, MpdElement set) {
    return Stream.concat(Stream.of(set), set.all("ContentComponent"))
        .flatMap(element -> element.attribute(name).stream())
        .findFirst();
  }

  private static Optional<String> label(MpdElement set) {
    return set.first("Label")
        .map(MpdElement::text)
        .filter(text -> !text.isEmpty())
        .or(() -> set.attribute("label"));
  }

  /** The first of several equal ones keeps it; links to it are old and have to go on. */
  private static String unique(String profileId, Map<String, Integer> taken) {
    int times = taken.merge(profileId, 1, Integer::sum);
    String unique = times == 1 ? profileId : profileId + "_" + times;
    while (times > 1 && taken.putIfAbsent(unique, 1) != null) {
      times = taken.merge(profileId, 1, Integer::sum);
      unique = profileId + "_" + times;
    }
    return unique;
  }

  private Optional<Representation> representation(
      Place place, MpdElement element, Kind kind, BaseUrls base) throws MediaFormatException {
    List<MpdElement> levels = List.of(element, place.set());
    Optional<String> codecs = inherited(levels, "codecs");
    String id = element.attribute("id").orElse("");
    long bandwidth = element.number("bandwidth").orElse(0);
    String mimeType = mimeType(levels, kind, codecs.orElse(""));
    Optional<Addressing> addressing =
        addressings.read(
            List.of(element, place.set(), place.period()),
            new AddressingReader.Subject(id, bandwidth, mimeType, base));
    return addressing.map(
        found ->
            new Representation(
                id,
                profileId(place, id, bandwidth),
                bandwidth,
                mimeType,
                codecs,
                pixels(levels, "width"),
                pixels(levels, "height"),
                inherited(levels, "frameRate").flatMap(Lexical::frameRate),
                Descriptors.videoRange(levels),
                number(levels, "audioSamplingRate"),
                Descriptors.channels(levels),
                base.all(),
                found,
                Descriptors.protections(levels)));
  }

  private static String profileId(Place place, String id, long bandwidth) {
    String set = place.id().isEmpty() ? "0" : place.id();
    return set + "_" + (id.isEmpty() ? set : id) + "_" + bandwidth;
  }

  private static String mimeType(List<MpdElement> levels, Kind kind, String codecs) {
    String type = PARAMETERS.matcher(inherited(levels, "mimeType").orElse("")).replaceFirst("");
    return type.isEmpty() ? KindGuess.mimeType(kind, codecs) : type;
  }

  private static Optional<String> inherited(List<MpdElement> levels, String name) {
    return levels.stream().flatMap(level -> level.attribute(name).stream()).findFirst();
  }

  private static OptionalInt pixels(List<MpdElement> levels, String name) {
    OptionalLong number = number(levels, name);
    return number.orElse(0) > 0 && number.orElse(0) <= MAX_PIXELS
        ? OptionalInt.of((int) number.getAsLong())
        : OptionalInt.empty();
  }

  /** A pair, as in {@code "48000 96000"}, gives its first. */
  private static OptionalLong number(List<MpdElement> levels, String name) {
    Optional<String> text = inherited(levels, name);
    return text.isPresent()
        ? Lexical.unsigned(text.get().split("\\s+", 2)[0])
        : OptionalLong.empty();
  }
}
