package dev.millrace.proxy;

import dev.millrace.dash.Addressing.Part;
import dev.millrace.dash.PlaylistLinks;
import dev.millrace.link.FormEncoding;
import dev.millrace.link.LinkRights;
import dev.millrace.link.LinkTokens;
import dev.millrace.stream.ByteBuilder;
import dev.millrace.upstream.SetCookies;
import dev.millrace.upstream.UpstreamHead;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The links in the playlists of one presentation (contract for DASH §1.4, §1.6), sealed where
 * {@link ChildLinks} seals those of an HLS playlist. Subtitles that are one text lead to the route
 * of HLS segments, which changes nothing. Confined to one caller and one playlist.
 */
public final class DashLinks implements PlaylistLinks {
  private static final String PLAYLIST = "/proxy/mpd/playlist.m3u8";
  private static final String SEGMENT = "/proxy/mpd/segment.mp4";
  private static final String TRANSPORT_STREAM = "/proxy/mpd/segment.ts";
  private static final String INIT = "/proxy/mpd/init.mp4";
  private static final String TEXT = "/proxy/hls/segment.vtt";
  private static final String TEXT_TYPE = "text/vtt";

  private final DashLinkParameters parameters;
  private final PublicAddress publicAddress;
  private final Optional<LinkSeal> seal;
  private final Optional<OriginCredentials> credentials;
  private final boolean holdSecrets;
  private @Nullable Row row;

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
        seal.isPresent() || hasPassword || !request.keys().isEmpty());
  }

  private static LinkRights rights(Grant grant) {
    return grant
        .rights()
        .orElse(
            new LinkRights(Optional.empty(), Optional.empty(), Optional.of(Endpoint.DASH.label())));
  }

  /** Whether whoever sees such a link can use it, or learns a key from it. */
  public boolean holdSecrets() {
    return holdSecrets;
  }

  @Override
  public String playlist(String profileId) {
    Map<String, String> own = parameters.ofPlaylist(profileId);
    seal.ifPresent(sealing -> sealing.addCookies(own));
    return link(PLAYLIST, own);
  }

  @Override
  public String initialization(InitializationLink link) {
    Map<String, String> own = new LinkedHashMap<>();
    String address = reached(link.part().url());
    own.put("init_url", address);
    own.put("mime_type", link.mimeType());
    own.put("is_live", Boolean.toString(link.isLive()));
    link.part().range().ifPresent(range -> own.put("init_range", range));
    own.putAll(parameters.ofInits());
    seal.ifPresent(sealing -> sealing.addCookies(own, address));
    return link(INIT, own);
  }

  @Override
  public String segment(SegmentLink link) {
    if (link.mimeType().equals(TEXT_TYPE) && link.initialization().isEmpty()) {
      return text(reached(link.media().url()));
    }
    Row known = row;
    if (known == null || !known.holds(link)) {
      known = new Row(link);
      row = known;
    }
    return known.link(link.media());
  }

  private String text(String address) {
    Map<String, String> own = parameters.ofText(address);
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

  /** Segments whose links differ in nothing but the address and its range: the rest is ready. */
  private final class Row {
    private final SegmentLink first;
    private final String path;
    private final Map<String, String> before;
    private final Map<String, String> after;
    private final String start;
    private final String end;

    Row(SegmentLink first) {
      this.first = first;
      this.path = first.isTransportStream() ? TRANSPORT_STREAM : SEGMENT;
      this.before = new LinkedHashMap<>(parameters.ofSegments());
      this.after = new LinkedHashMap<>();
      first.initialization().ifPresent(part -> before.put("init_url", reached(part.url())));
      after.put("mime_type", first.mimeType());
      after.put("is_live", Boolean.toString(first.isLive()));
      if (first.isTransportStream()) {
        after.put("use_map", "false");
      } else if (first.initialization().isPresent()) {
        after.put("use_map", "true");
      }
      first.initialization().flatMap(Part::range).ifPresent(r -> after.put("init_range", r));
      before.put("segment_url", "");
      this.start = publicAddress.url(path) + "?" + FormEncoding.query(before);
      this.end = "&" + FormEncoding.query(after);
    }

    boolean holds(SegmentLink link) {
      return link.initialization().equals(first.initialization())
          && link.mimeType().equals(first.mimeType())
          && link.isLive() == first.isLive()
          && link.isTransportStream() == first.isTransportStream()
          && link.shift().equals(first.shift());
    }

    String link(Part segment) {
      String address = reached(segment.url());
      return seal.isPresent() ? sealed(seal.get(), segment, address) : plain(segment, address);
    }

    private String plain(Part segment, String address) {
      StringBuilder link = new StringBuilder(start).append(FormEncoding.text(address)).append(end);
      segment.range().ifPresent(range -> link.append("&segment_range=").append(range));
      first.shift().ifPresent(s -> link.append("&shift=").append(FormEncoding.text(s.toString())));
      return link.toString();
    }

    private String sealed(LinkSeal sealing, Part segment, String address) {
      Map<String, String> own = new LinkedHashMap<>(before);
      own.put("segment_url", address);
      own.putAll(after);
      segment.range().ifPresent(range -> own.put("segment_range", range));
      first.shift().ifPresent(shift -> own.put("shift", shift.toString()));
      sealing.addCookies(own, address);
      return sealing.url(path, own);
    }
  }
}
