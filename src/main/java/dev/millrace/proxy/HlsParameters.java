package dev.millrace.proxy;

import dev.millrace.hls.PlaylistFilters;
import dev.millrace.hls.PlaylistRewriter;
import dev.millrace.hls.SkippedRanges;
import dev.millrace.hls.VariantChoice;
import dev.millrace.stream.ByteBuilder;
import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.SetCookies;
import dev.millrace.upstream.Target;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a request for a playlist asks for, checked.
 *
 * @param query all of it; what was called {@code destination} is called {@code d} here
 * @param stream what it has in common with a stream: the address ({@code d}), fields
 * @param keyHost scheme and authority that those of keys are replaced by ({@code key_url})
 * @param isUnproxied whether addresses are only made absolute ({@code no_proxy})
 * @param isKeyOnly whether segments lead to their origin ({@code key_only_proxy}, or the path)
 * @param isForced whether it is a playlist whatever it looks like ({@code force_playlist_proxy})
 * @param filters what is left out of playlists, and what they are to say besides ({@code skip},
 *     {@code max_res}, {@code resolution}, {@code start_offset}, {@code decrypt})
 */
public record HlsParameters(
    QueryParameters query,
    ProxyParameters stream,
    Optional<String> keyHost,
    boolean isUnproxied,
    boolean isKeyOnly,
    boolean isForced,
    PlaylistFilters filters) {
  /** What the names of those begin with that a player adds to an address (RFC 8216bis §6.2.5). */
  static final String DIRECTIVE = "_HLS_";

  /** Of a sealed link: cookies for whatever it leads to, each for where it belongs. */
  static final String COOKIES = "cookies";

  /**
   * Reads and checks everything before anything is sent.
   *
   * @param isKeyRoute whether the path says that only keys are to be proxied
   * @throws ExchangeException as {@link ProxyParameters#parse}; 422 for what is not of its type
   */
  public static HlsParameters parse(QueryParameters given, boolean isKeyRoute, ProxyConfig config)
      throws ExchangeException {
    QueryParameters query = given.renamed("destination", "d");
    ProxyParameters stream = ProxyParameters.parse(query, "", config);
    boolean isUnproxied = isOn(query, "no_proxy");
    return new HlsParameters(
        query,
        withCookies(stream, query),
        keyHost(query),
        isUnproxied,
        isOn(query, "key_only_proxy") || isKeyRoute,
        isOn(query, "force_playlist_proxy"),
        new PlaylistFilters(
            startOffset(query),
            Optional.empty(),
            skip(query),
            variant(query),
            isOn(query, "decrypt") && !isUnproxied,
            !KeyParameters.of(query).ring().isEmpty() && !isUnproxied));
  }

  private static boolean isOn(QueryParameters query, String name) throws ValidationException {
    Optional<String> value = query.value(name);
    return value.isPresent() && ProxyParameters.isTrue(name, value.get());
  }

  private static Optional<String> keyHost(QueryParameters query) throws BadParameterException {
    String given = query.value("key_url").orElse("");
    if (given.isEmpty()) {
      return Optional.empty();
    }
    String url = Destination.repaired(given);
    Destination.target("key_url", url);
    return Optional.of(url.substring(0, AddressText.pathStart(url)));
  }

  private static Optional<VariantChoice> variant(QueryParameters query) throws ValidationException {
    Optional<String> resolution = query.value("resolution");
    boolean takesBest = isOn(query, "max_res");
    if (resolution.isEmpty()) {
      return takesBest ? Optional.of(VariantChoice.greatest()) : Optional.empty();
    }
    try {
      return Optional.of(VariantChoice.parse(resolution.get()));
    } catch (IllegalArgumentException e) {
      throw ValidationException.notMatching("resolution", "^\\d+p$", resolution.get());
    }
  }

  static Optional<SkippedRanges> skip(QueryParameters query) throws ValidationException {
    String given = query.value("skip").orElse("");
    if (given.isBlank()) {
      return Optional.empty();
    }
    try {
      return Optional.of(SkippedRanges.parse(given));
    } catch (IllegalArgumentException e) {
      throw ValidationException.badValue("skip", String.valueOf(e.getMessage()), given);
    }
  }

  static Optional<Double> startOffset(QueryParameters query) throws ValidationException {
    Optional<String> value = query.value("start_offset");
    if (value.isPresent() && !ProxyParameters.isNumber(value.get())) {
      throw ValidationException.notNumber("start_offset", value.get());
    }
    return value.map(Double::valueOf);
  }

  /** Those of a sealed link that belong to the destination join what {@code h_cookie} says. */
  static ProxyParameters withCookies(ProxyParameters stream, QueryParameters query) {
    Headers fields = stream.requestHeaders();
    Optional<String> cookie = cookies(query).fieldFor(stream.destination(), fields.first("cookie"));
    return cookie.isEmpty()
        ? stream
        : stream.withRequestHeaders(fields.with("cookie", cookie.get()));
  }

  static SetCookies cookies(QueryParameters query) {
    return query.value(COOKIES).map(SetCookies::parse).orElse(SetCookies.NONE);
  }

  /** What the link that has led here carries, for what is reached from here. */
  public SetCookies cookies() {
    return cookies(query);
  }

  /** The same as {@link #filters}, with what a live playlist says that nothing was asked for. */
  public PlaylistFilters filters(HlsConfig config) {
    return new PlaylistFilters(
        filters.start(),
        config.liveStartSeconds(),
        filters.skip(),
        filters.variant(),
        filters.isClear(),
        filters.hasSampleKeys());
  }

  /** For samples of fMP4 ({@code key_id}, {@code key}); they were read before. */
  KeyParameters keys() {
    try {
      return KeyParameters.of(query);
    } catch (BadParameterException e) {
      throw new IllegalStateException("checked before", e);
    }
  }

  /** The variables that a link has brought (RFC 8216bis §4.4.2.3, {@code IMPORT}). */
  public Map<String, String> imported() {
    Map<String, String> variables = new LinkedHashMap<>();
    query
        .all()
        .forEach(
            (name, value) -> {
              if (name.startsWith(PlaylistRewriter.VARIABLE_PREFIX)) {
                variables.put(name.substring(PlaylistRewriter.VARIABLE_PREFIX.length()), value);
              }
            });
    return variables;
  }

  /**
   * Where the playlist is: {@code d} with what a player has added to our address (RFC 8216bis
   * §6.2.5). Of a playlist that is changed, no delta update can be made use of.
   */
  public Target playlist() {
    Map<String, String> directives = new LinkedHashMap<>();
    boolean isWhole = filters.skip().isEmpty() && !filters.isClear() && !filters.hasSampleKeys();
    for (String name : Visit.DELIVERY_DIRECTIVES) {
      if (isWhole || !name.equals("_HLS_skip")) {
        query.value(name).ifPresent(value -> directives.put(name, value));
      }
    }
    return AddressText.withParameters(stream.destination(), directives);
  }

  /** Where a list in JSON is: {@code d} with whatever a player has added to our address. */
  public Target list() {
    Map<String, String> directives = new LinkedHashMap<>();
    query
        .all()
        .forEach(
            (name, value) -> {
              if (name.startsWith(DIRECTIVE)) {
                directives.put(name, value);
              }
            });
    return AddressText.withParameters(stream.destination(), directives);
  }

  /**
   * The fields of a request for the playlist itself, or a list beside it: without any range, and it
   * may come compressed.
   */
  public Headers documentHeaders(ProxyConfig config) {
    return HeaderPolicy.toUpstream(stream, RangeRequest.NONE, config)
        .with("Accept-Encoding", "gzip");
  }

  /**
   * Which part is wanted if it is no playlist.
   *
   * @throws RangeNotSatisfiableException if the client's range cannot be read (416)
   * @throws BadParameterException if {@code h_range} cannot be read (400)
   */
  public RangeRequest range(Optional<String> clientRange, Optional<String> clientIfRange)
      throws ExchangeException {
    if (clientRange.orElse("").toLowerCase(Locale.ROOT).contains("nan")) {
      throw RangeNotSatisfiableException.notANumber();
    }
    return isPlaylist() ? RangeRequest.NONE : RangeRequest.of(stream, clientRange, clientIfRange);
  }

  /** Whether the address says that it is one: by the ending of its path, or its {@code type}. */
  public boolean isPlaylist() {
    String target = stream.destination().requestTarget();
    return isForced || ChildRoute.isPlaylist(new ByteBuilder(target.length()).append(target));
  }

  /** Without values. */
  @Override
  public String toString() {
    return "HlsParameters[" + query + ", " + stream + "]";
  }
}
