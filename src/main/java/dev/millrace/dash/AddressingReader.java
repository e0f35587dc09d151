package dev.millrace.dash;

import dev.millrace.dash.Addressing.Part;
import dev.millrace.dash.Addressing.SegmentBase;
import dev.millrace.dash.Addressing.SegmentList;
import dev.millrace.dash.Addressing.SegmentTemplate;
import dev.millrace.stream.MediaFormatException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads where the segments of a representation are (ISO/IEC 23009-1 §5.3.9). The innermost level
 * that says anything chooses the kind; attributes and children of that kind are then looked for one
 * by one from the innermost level on outwards. One reader per MPD.
 */
final class AddressingReader {
  private static final long MAX_TIMESCALE = (1L << 32) - 1;
  private static final List<String> KINDS =
      List.of("SegmentTemplate", "SegmentList", "SegmentBase");

  /** Lists that are inherited are resolved once for each base address. */
  private final IdentityHashMap<MpdElement, Map<String, List<Part>>> lists =
      new IdentityHashMap<>();

  /** What a representation puts into its addresses. */
  record Subject(String id, long bandwidth, String mimeType, BaseUrls base) {
    private Optional<String> resolve(String template) throws MediaFormatException {
      Optional<String> bound = UrlTemplate.bind(template, id, bandwidth);
      return bound.isPresent() ? base.resolve(bound.get()) : Optional.empty();
    }
  }

  /**
   * Reads it from all levels at once.
   *
   * @param levels representation, set and period, in that order
   * @return empty if its segments cannot be found
   */
  Optional<Addressing> read(List<MpdElement> levels, Subject subject) throws MediaFormatException {
    Inherited inherited = Inherited.of(levels, KINDS);
    return switch (inherited.kind()) {
      case "SegmentTemplate" -> template(inherited, subject);
      case "SegmentList" -> list(inherited, subject);
      default -> base(inherited, subject);
    };
  }

  private static Optional<Addressing> template(Inherited inherited, Subject subject)
      throws MediaFormatException {
    Optional<String> media = inherited.attribute("media");
    Optional<String> url = media.isPresent() ? subject.resolve(media.get()) : Optional.empty();
    Optional<String> initialization = inherited.attribute("initialization");
    Optional<Part> part = initialization(inherited, subject);
    if (initialization.isPresent()) {
      part = subject.resolve(initialization.get()).map(AddressingReader::whole);
      if (part.isEmpty()) {
        return Optional.empty();
      }
    }
    if (url.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new SegmentTemplate(
            timescale(inherited),
            inherited.number("presentationTimeOffset").orElse(0),
            inherited.number("startNumber"),
            inherited.number("endNumber"),
            duration(inherited),
            inherited.timeline(),
            part,
            UrlTemplate.compile(url.get()),
            inherited.seconds("availabilityTimeOffset") + subject.base().availabilityTimeOffset()));
  }

  private static Part whole(String boundUrl) {
    return new Part(UrlTemplate.compile(boundUrl).expand(0, 0), Optional.empty());
  }

  private static long timescale(Inherited inherited) {
    long timescale = inherited.number("timescale").orElse(1);
    return timescale == 0 ? 1 : Math.min(timescale, MAX_TIMESCALE);
  }

  /** A duration of 0 is none. */
  private static OptionalLong duration(Inherited inherited) {
    OptionalLong duration = inherited.number("duration");
    boolean isUsed = duration.orElse(0) > 0 && inherited.timeline().isEmpty();
    return isUsed ? duration : OptionalLong.empty();
  }

  /** Of the {@code Initialization} element (§5.3.9.2.2). */
  private static Optional<Part> initialization(Inherited inherited, Subject subject)
      throws MediaFormatException {
    Optional<MpdElement> element = inherited.first("Initialization");
    if (element.isEmpty()) {
      return Optional.empty();
    }
    Optional<String> range = element.get().attribute("range").flatMap(Lexical::range);
    Optional<String> source = element.get().attribute("sourceURL");
    Optional<String> url =
        source.isPresent()
            ? subject.resolve(source.get()).map(bound -> whole(bound).url())
            : Optional.of(subject.base().preferred()).filter(file -> subject.base().isOfFile());
    return url.map(address -> new Part(address, range));
  }

  private Optional<Addressing> list(Inherited inherited, Subject subject)
      throws MediaFormatException {
    Optional<MpdElement> holder = inherited.firstWith("SegmentURL");
    List<Part> segments = holder.isPresent() ? parts(holder.get(), subject) : List.of();
    if (segments.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new SegmentList(
            timescale(inherited),
            inherited.number("presentationTimeOffset").orElse(0),
            inherited.number("startNumber"),
            duration(inherited),
            inherited.timeline(),
            initialization(inherited, subject),
            segments));
  }

  /** Empty if one of them cannot be read: the ones after it would be miscounted. */
  private List<Part> parts(MpdElement list, Subject subject) throws MediaFormatException {
    Map<String, List<Part>> known = lists.computeIfAbsent(list, key -> new HashMap<>());
    List<Part> resolved = known.get(subject.base().preferred());
    if (resolved == null) {
      resolved = new ArrayList<>();
      for (MpdElement element : list.all("SegmentURL").toList()) {
        Optional<Part> part = part(element, subject.base());
        if (part.isEmpty()) {
          resolved = List.of();
          break;
        }
        resolved.add(part.get());
      }
      known.put(subject.base().preferred(), resolved);
    }
    return resolved;
  }

  private static Optional<Part> part(MpdElement element, BaseUrls base)
      throws MediaFormatException {
    Optional<String> written = element.attribute("mediaRange");
    Optional<String> range = written.flatMap(Lexical::range);
    Optional<String> media = element.attribute("media");
    Optional<String> url =
        media.isPresent()
            ? base.resolve(media.get())
            : Optional.of(base.preferred()).filter(file -> base.isOfFile());
    return url.filter(address -> written.isPresent() == range.isPresent())
        .map(address -> new Part(address, range));
  }

  private static Optional<Addressing> base(Inherited inherited, Subject subject)
      throws MediaFormatException {
    if (!subject.base().isOfFile()) {
      return Optional.empty();
    }
    String file = subject.base().preferred();
    Optional<String> index = inherited.attribute("indexRange").flatMap(Lexical::range);
    Optional<Part> initialization = initialization(inherited, subject);
    if (initialization.isEmpty() && subject.mimeType().contains("mp4")) {
      initialization =
          index.flatMap(AddressingReader::before).map(range -> new Part(file, Optional.of(range)));
    }
    return Optional.of(
        new SegmentBase(
            timescale(inherited),
            inherited.number("presentationTimeOffset").orElse(0),
            initialization,
            file,
            index));
  }

  /** In an MP4 file, what is before the index is {@code ftyp} and {@code moov}. */
  private static Optional<String> before(String index) {
    long first = Long.parseLong(index.substring(0, index.indexOf('-')));
    return first == 0 ? Optional.empty() : Optional.of("0-" + (first - 1));
  }
}
