package dev.millrace.proxy;

import dev.millrace.dash.Addressing.Part;
import dev.millrace.link.FormEncoding;
import dev.millrace.link.LinkRights;
import dev.millrace.link.LinkTokens;
import dev.millrace.stream.ByteBuilder;
import dev.millrace.upstream.SetCookies;
import dev.millrace.upstream.UpstreamHead;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The links in the playlists of one presentation (contract for DASH §1.4, §1.6), sealed where
 * {@link ChildLinks} seals those of an HLS playlist. Immutable.
 */
public final class DashLinks {
  private static final String PLAYLIST = "/proxy/mpd/playlist.m3u8";
  private static final String SEGMENT = "/proxy/mpd/segment.mp4";
  private static final String INIT = "/proxy/mpd/init.mp4";
  private static final String TEXT = "/proxy/hls/segment.vtt";

  private final DashLinkParameters parameters;
  private final PublicAddress publicAddress;
  private final Optional<LinkSeal> seal;
  private final Optional<OriginCredentials> credentials;
  private final boolean holdSecrets;

  private DashLinks(
      DashLinkParameters parameters,
      PublicAddress publicAddress,
      Optional<LinkSeal> seal,
      Optional<OriginCredentials> credentials,
      boolean holdSecrets) {
    this.parameters = parameters;
    this.publicAddress = publicAddress;
    this.seal = seal;
    this.credentials = credentials;
    this.holdSecrets = holdSecrets;
  }

  /**
   * The links of one playlist.
   *
   * @param grant what its request was let in for
   * @param publicAddress how that request has reached this server
   * @param head of the origin's answer: the MPD
   * @param tokens absent: this server has no password, and seals nothing
   */
  public static DashLinks of(
      DashParameters request,
      Grant grant,
      PublicAddress publicAddress,
      UpstreamHead head,
      Optional<LinkTokens> tokens) {
    SetCookies cookies = request.cookies().and(head.cookies());
    boolean hasPassword = request.query().value(Claim.PASSWORD).isPresent();
    boolean isReadable = grant.rights().isEmpty() && cookies.isEmpty() && hasPassword;
    Optional<LinkSeal> seal =
        tokens
            .filter(known -> !isReadable)
            .map(known -> new LinkSeal(publicAddress, known, rights(grant), cookies));
    return new DashLinks(
        DashLinkParameters.of(request),
        publicAddress,
        seal,
        head.target().userInfo().map(user -> OriginCredentials.of(head.target())),
        seal.isPresent() || hasPassword || !request.keys().ring().isEmpty());
  }

  private static LinkRights rights(Grant grant) {
    return grant
        .rights()
        .orElse(
            new LinkRights(
                Optional.empty(), Optional.empty(), Optional.of(Endpoint.DASH.label())));
  }

  /** Whether whoever sees such a link can use it, or knows a key from it. */
  public boolean holdSecrets() {
    return holdSecrets;
  }

  /** To the playlist of a profile. */
  public String playlist(String profileId) {
    Map<String, String> own = parameters.ofPlaylist(profileId);
    seal.ifPresent(sealing -> sealing.addCookies(own));
    return link(PLAYLIST, own);
  }

  /**
   * To an initialization segment.
   *
   * @param mimeType of the representation
   * @param isLive whether the presentation is dynamic
   */
  public String init(Part init, String mimeType, boolean isLive) {
    Map<String, String> own = new LinkedHashMap<>();
    String address = reached(init.url());
    own.put("init_url", address);
    own.put("mime_type", mimeType);
    own.put("is_live", Boolean.toString(isLive));
    init.range().ifPresent(range -> own.put("init_range", range));
    own.putAll(parameters.ofInits());
    seal.ifPresent(sealing -> sealing.addCookies(own, address));
    return link(INIT, own);
  }

  /**
   * To media segments of one representation in one period.
   *
   * @param init what initializes them; absent: they do it themselves
   * @param mimeType of the representation
   * @param isLive whether the presentation is dynamic
   * @param shift what their times are raised by, {@code units/timescale} in seconds; empty: nothing
   */
  public Segments segments(Optional<Part> init, String mimeType, boolean isLive, String shift) {
    Map<String, String> before = new LinkedHashMap<>(parameters.ofSegments());
    init.ifPresent(part -> before.put("init_url", reached(part.url())));
    Map<String, String> after = new LinkedHashMap<>();
    after.put("mime_type", mimeType);
    after.put("is_live", Boolean.toString(isLive));
    if (init.isPresent()) {
      after.put("use_map", "true");
    }
    init.flatMap(Part::range).ifPresent(range -> after.put("init_range", range));
    return new Segments(before, after, shift);
  }

  /** To subtitles that are one text: it passes as any other. */
  public String text(String url) {
    Map<String, String> own = new LinkedHashMap<>();
    String address = reached(url);
    own.put("d", address);
    own.putAll(parameters.ofInits());
    own.remove(KeyParameters.KEY_ID);
    own.remove(KeyParameters.KEY);
    seal.ifPresent(sealing -> sealing.addCookies(own, address));
    return seal.isPresent()
        ? seal.get().url(TEXT, own, Endpoint.HLS)
        : publicAddress.url(TEXT) + "?" + FormEncoding.query(own);
  }

  private String reached(String url) {
    return credentials
        .map(known -> known.with(new ByteBuilder(url.length()).append(url)).toString())
        .orElse(url);
  }

  private String link(String path, Map<String, String> own) {
    return seal.isPresent()
        ? seal.get().url(path, own)
        : publicAddress.url(path) + "?" + FormEncoding.query(own);
  }

  /** What does not vary between the links of segments is written once. */
  public final class Segments {
    private final Map<String, String> before;
    private final Map<String, String> after;
    private final String shift;
    private final String start;
    private final String end;

    private Segments(Map<String, String> before, Map<String, String> after, String shift) {
      this.before = before;
      this.after = after;
      this.shift = shift;
      this.start = publicAddress.url(SEGMENT) + "?" + FormEncoding.query(before) + "&segment_url=";
      this.end = "&" + FormEncoding.query(after);
    }

    public String link(Part segment) {
      String address = reached(segment.url());
      return seal.isPresent() ? sealed(seal.get(), segment, address) : plain(segment, address);
    }

    private String plain(Part segment, String address) {
      StringBuilder link = new StringBuilder(start).append(FormEncoding.text(address)).append(end);
      segment.range().ifPresent(range -> link.append("&segment_range=").append(range));
      if (!shift.isEmpty()) {
        link.append("&shift=").append(FormEncoding.text(shift));
      }
      return link.toString();
    }

    private String sealed(LinkSeal sealing, Part segment, String address) {
      Map<String, String> own = new LinkedHashMap<>(before);
      own.put("segment_url", address);
      own.putAll(after);
      segment.range().ifPresent(range -> own.put("segment_range", range));
      if (!shift.isEmpty()) {
        own.put("shift", shift);
      }
      sealing.addCookies(own, address);
      return sealing.url(SEGMENT, own);
    }
  }
}
