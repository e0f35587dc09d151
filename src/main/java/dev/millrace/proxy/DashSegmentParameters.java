package dev.millrace.proxy;

import dev.millrace.cenc.DecryptionOptions.Shift;
import dev.millrace.hls.ClearKeys;
import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.Target;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a request of {@code /proxy/mpd/segment.mp4} or {@code /proxy/mpd/init.mp4} asks for,
 * checked.
 *
 * @param fields what is sent along with each question and set in the response; its destination is
 *     the media, or the initialization segment if that is all
 * @param media {@code segment_url} and {@code segment_range}; absent on {@code init.mp4}
 * @param initialization {@code init_url} and {@code init_range}; absent: media that initializes
 *     itself
 * @param mimeType what the response is labelled as ({@code mime_type})
 * @param usesMap whether the player has the initialization segment already ({@code use_map})
 * @param shift what is added to all times ({@code shift}); absent: nothing
 * @param keys {@code key_id} and {@code key}
 * @param isTransportStream whether MPEG-TS is made of it ({@code segment.ts})
 */
public record DashSegmentParameters(
    ProxyParameters fields,
    Optional<Part> media,
    Optional<Part> initialization,
    String mimeType,
    boolean usesMap,
    Optional<Shift> shift,
    KeyParameters keys,
    boolean isTransportStream) {
  private static final String INIT_URL = "init_url";
  private static final String SEGMENT_URL = "segment_url";
  private static final String MIME_TYPE = "mime_type";
  private static final String SHIFT = "shift";

  /** Those that are media. */
  private static final Set<String> APPLICATIONS =
      Set.of("application/mp4", "application/ttml+xml", MediaTypes.UNKNOWN);

  private static final Pattern RANGE_FORM = Pattern.compile("(\\d{1,18})-(\\d{1,18})?");
  private static final Pattern SHIFT_FORM = Pattern.compile("(-?\\d{1,18})/(\\d{1,18})");

  /**
   * A file, or a range of it.
   *
   * @param range absent: all of it; else its first byte is always named
   */
  public record Part(Target address, Optional<ByteRange> range) {
    /** Where it begins in its file. */
    public long startOffset() {
      return range.isPresent() ? range.get().first().orElse(0) : 0;
    }

    /** How it is asked for. */
    public RangeRequest rangeRequest() {
      return new RangeRequest(range, Optional.empty());
    }

    /** Without its path, which is signed at times. */
    @Override
    public String toString() {
      return address.origin();
    }
  }

  /**
   * Reads the parameters of a segment.
   *
   * @throws ValidationException (422) if {@code segment_url} or {@code mime_type} is missing, or a
   *     switch is none
   * @throws BadParameterException (400) if a value cannot be used
   */
  public static DashSegmentParameters ofSegment(QueryParameters query, ProxyConfig config)
      throws ExchangeException {
    Part media = part(query, SEGMENT_URL, "segment_range");
    Optional<Part> init =
        given(query, INIT_URL).isEmpty()
            ? Optional.empty()
            : Optional.of(part(query, INIT_URL, "init_range"));
    return of(query, Optional.of(media), init, config);
  }

  /**
   * Reads the parameters of an initialization segment.
   *
   * @throws ValidationException (422) if {@code init_url} or {@code mime_type} is missing
   * @throws BadParameterException (400) if a value cannot be used
   */
  public static DashSegmentParameters ofInit(QueryParameters query, ProxyConfig config)
      throws ExchangeException {
    return of(query, Optional.empty(), Optional.of(part(query, INIT_URL, "init_range")), config);
  }

  /**
   * Reads the parameters of a segment of HLS, or an initialization section, whose samples are
   * encrypted ({@code decrypt_samples}).
   *
   * @return absent if they are not
   * @throws ExchangeException as {@link #ofSegment}
   */
  public static Optional<DashSegmentParameters> ofHls(QueryParameters query, ProxyConfig config)
      throws ExchangeException {
    Optional<String> what = given(query, ClearKeys.SAMPLES_PARAMETER);
    if (what.isEmpty()) {
      return Optional.empty();
    }
    Part named = new Part(Destination.ofHls(query), range(query, ClearKeys.RANGE_PARAMETER));
    boolean isInit = what.get().equals(ClearKeys.INIT);
    KeyParameters keys = KeyParameters.of(query);
    if (keys.ring().isEmpty()) {
      throw ValidationException.missing(KeyParameters.KEY);
    }
    return Optional.of(
        new DashSegmentParameters(
            ProxyParameters.ofMedia(query, named.address(), config),
            isInit ? Optional.empty() : Optional.of(named),
            Optional.of(
                isInit
                    ? named
                    : part(query, ClearKeys.INIT_PARAMETER, ClearKeys.INIT_RANGE_PARAMETER)),
            "video/mp4",
            !isInit,
            Optional.empty(),
            keys,
            false));
  }

  private static DashSegmentParameters of(
      QueryParameters query, Optional<Part> media, Optional<Part> init, ProxyConfig config)
      throws ExchangeException {
    boolean unused = isOn(query, "is_live"); // how long anything is kept, its origin says
    return new DashSegmentParameters(
        ProxyParameters.ofMedia(query, media.or(() -> init).orElseThrow().address(), config),
        media,
        init,
        mimeType(query),
        isOn(query, "use_map"),
        shift(query),
        KeyParameters.of(query),
        false);
  }

  private static Part part(QueryParameters query, String url, String range)
      throws ExchangeException {
    String address = given(query, url).orElseThrow(() -> ValidationException.missing(url));
    return new Part(Destination.target(url, address), range(query, range));
  }

  private static Optional<ByteRange> range(QueryParameters query, String name)
      throws BadParameterException {
    Optional<String> text = given(query, name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Matcher form = RANGE_FORM.matcher(text.get());
    if (!form.matches()) {
      throw notRange(name);
    }
    long first = Long.parseLong(form.group(1));
    String end = form.group(2);
    OptionalLong last = end == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(end));
    if (last.isPresent() && last.getAsLong() < first) {
      throw notRange(name);
    }
    return Optional.of(new ByteRange(OptionalLong.of(first), last));
  }

  private static BadParameterException notRange(String name) {
    return new BadParameterException(name, "not a range (expected: as in 0-499 or 500-)");
  }

  private static String essence(String type) {
    int semicolon = type.indexOf(';');
    return (semicolon < 0 ? type : type.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
  }

  /** Sound, pictures and text; nothing that a browser would run. */
  private static String mimeType(QueryParameters query) throws ExchangeException {
    String type =
        given(query, MIME_TYPE).orElseThrow(() -> ValidationException.missing(MIME_TYPE)).strip();
    String essence = essence(type);
    boolean isMedia =
        Stream.of("video/", "audio/", "text/").anyMatch(essence::startsWith)
            || APPLICATIONS.contains(essence);
    if (!isMedia || !FieldSyntax.isValue(type) || !MediaTypes.harmless(type).equals(type)) {
      throw new BadParameterException(MIME_TYPE, "not a type of media (expected: as in video/mp4)");
    }
    return type;
  }

  private static Optional<Shift> shift(QueryParameters query) throws BadParameterException {
    Optional<String> text = given(query, SHIFT);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Matcher form = SHIFT_FORM.matcher(text.get());
    long timescale = form.matches() ? Long.parseLong(form.group(2)) : 0;
    if (timescale == 0) {
      throw new BadParameterException(
          SHIFT, "not a time (expected: units/timescale, as in 900000/90000)");
    }
    return Optional.of(new Shift(Long.parseLong(form.group(1)), timescale))
        .filter(shift -> shift.units() != 0);
  }

  private static boolean isOn(QueryParameters query, String name) throws ValidationException {
    Optional<String> value = given(query, name);
    return value.isPresent() && ProxyParameters.isTrue(name, value.get());
  }

  private static Optional<String> given(QueryParameters query, String name) {
    return query.value(name).filter(value -> !value.isEmpty());
  }

  /** The same media as MPEG-TS, whatever its link says of its type and its map. */
  public DashSegmentParameters asTransportStream() {
    return new DashSegmentParameters(
        fields, media, initialization, "video/mp2t", false, shift, keys, true);
  }

  /** Whether media passes as it is. */
  public boolean isPlain() {
    return !isTransportStream && keys.ring().isEmpty() && shift.isEmpty();
  }

  /** Whether what is fetched has to be ISO base media; others are passed on, if they are plain. */
  public boolean isIsoMedia() {
    return isTransportStream || !keys.ring().isEmpty() || essence(mimeType).endsWith("/mp4");
  }

  /** Without addresses and keys. */
  @Override
  public String toString() {
    return "DashSegmentParameters[media=" + media + ", initialization=" + initialization + "]";
  }
}
