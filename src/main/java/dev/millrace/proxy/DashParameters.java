package dev.millrace.proxy;

import dev.millrace.hls.SkippedRanges;
import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.SetCookies;
import dev.millrace.upstream.Target;
import dev.millrace.upstream.UpstreamHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a request for {@code /proxy/mpd/manifest.m3u8} or {@code playlist.m3u8} asks for, checked.
 *
 * @param query all of it; what was called {@code destination} is called {@code d} here, and keys
 *     that stood inside of {@code d} stand beside it
 * @param stream what it has in common with a stream: the address ({@code d}), fields
 * @param keys what media is decrypted with ({@code key_id}, {@code key})
 * @param profileId which profile's playlist ({@code profile_id}); absent: the multivariant one
 * @param height most lines of the one variant that is wanted ({@code resolution})
 * @param skip what is left out
 * @param startOffset seconds, for {@code EXT-X-START}
 * @param isTransportStream whether MPEG-TS is asked for ({@code remux_to_ts})
 */
public record DashParameters(
    QueryParameters query,
    ProxyParameters stream,
    KeyParameters keys,
    Optional<String> profileId,
    OptionalInt height,
    Optional<SkippedRanges> skip,
    Optional<Double> startOffset,
    boolean isTransportStream) {
  static final String PROFILE_ID = "profile_id";
  static final String TRANSPORT_STREAM = "remux_to_ts";

  private static final String RESOLUTION = "resolution";
  private static final Pattern HEIGHT = Pattern.compile("0*(\\d{1,9})p");

  /**
   * Reads and checks everything before anything is sent.
   *
   * @param isOfProfile whether {@code profile_id} has to be there
   * @throws ExchangeException as {@link ProxyParameters#parse}; 422 for what is not of its type;
   *     400 for keys that cannot be read
   */
  public static DashParameters parse(QueryParameters given, boolean isOfProfile, ProxyConfig config)
      throws ExchangeException {
    QueryParameters query = withoutKeysInAddress(given.renamed("destination", "d"));
    ProxyParameters stream = ProxyParameters.parse(query, "", config);
    return new DashParameters(
        query,
        stream,
        KeyParameters.of(query),
        profileId(query, isOfProfile),
        height(query),
        HlsParameters.skip(query),
        HlsParameters.startOffset(query),
        isOn(query, TRANSPORT_STREAM));
  }

  /**
   * Some clients encode the keys together with the address. Those that are given separately win;
   * the rest of the address keeps its bytes.
   */
  private static QueryParameters withoutKeysInAddress(QueryParameters query) {
    String d = query.value("d").orElse("");
    if (!d.contains("&key_id=") || !d.contains("&key=")) {
      return query;
    }
    Map<String, String> parameters = query.all();
    List<String> kept = new ArrayList<>();
    for (String part : d.split("&", -1)) {
      int equals = part.indexOf('=');
      String name = part.substring(0, Math.max(0, equals));
      boolean isKey = name.equals(KeyParameters.KEY_ID) || name.equals(KeyParameters.KEY);
      if (!isKey || kept.isEmpty()) {
        kept.add(part);
      } else if (query.value(name).orElse("").isEmpty()) {
        parameters.put(name, PercentDecoding.decodePath(part.substring(equals + 1)));
      }
    }
    parameters.put("d", String.join("&", kept));
    return QueryParameters.of(parameters);
  }

  private static Optional<String> profileId(QueryParameters query, boolean isNeeded)
      throws ValidationException {
    Optional<String> given = query.value(PROFILE_ID).filter(id -> isNeeded && !id.isEmpty());
    if (isNeeded && given.isEmpty()) {
      throw ValidationException.missing(PROFILE_ID);
    }
    return given;
  }

  private static OptionalInt height(QueryParameters query) throws ValidationException {
    String given = query.value(RESOLUTION).orElse("");
    if (given.isEmpty()) {
      return OptionalInt.empty();
    }
    Matcher height = HEIGHT.matcher(given);
    if (!height.matches()) {
      throw ValidationException.notMatching(RESOLUTION, "^\\d+p$", given);
    }
    return OptionalInt.of(Integer.parseInt(height.group(1)));
  }

  private static boolean isOn(QueryParameters query, String name) throws ValidationException {
    String value = query.value(name).orElse("");
    return !value.isEmpty() && ProxyParameters.isTrue(name, value);
  }

  /** What the link that has led here carries, for what is reached from here. */
  SetCookies cookies() {
    return HlsParameters.cookies(query);
  }

  /** The fields of a request for the MPD: without any range, and it may come compressed. */
  public Headers documentHeaders(ProxyConfig config) {
    ProxyParameters document = HlsParameters.withCookies(stream, query);
    return HeaderPolicy.toUpstream(document, RangeRequest.NONE, config)
        .with("Accept-Encoding", "gzip");
  }

  /**
   * The same fields for something that the presentation names, with the cookies that belong there.
   *
   * @param head of the answer that the MPD is
   */
  public ProxyParameters to(Target target, UpstreamHead head) {
    ProxyParameters there = stream.to(target);
    Headers fields = there.requestHeaders();
    return cookies()
        .and(head.cookies())
        .fieldFor(target, fields.first("cookie"))
        .map(cookie -> there.withRequestHeaders(fields.with("cookie", cookie)))
        .orElse(there);
  }

  /** Without values. */
  @Override
  public String toString() {
    return "DashParameters[" + query + ", " + stream + "]";
  }
}
