package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hls.ChannelFields;
import dev.millrace.hls.ClearKeys;
import dev.millrace.hls.UriKind;
import dev.millrace.hls.UriRewriter;
import dev.millrace.link.LinkRights;
import dev.millrace.link.LinkTokens;
import dev.millrace.proxy.LinkShape.Group;
import dev.millrace.stream.ByteBuilder;
import dev.millrace.upstream.SetCookies;
import dev.millrace.upstream.UpstreamHead;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * What stands in a rewritten playlist in place of each address: a link to this server, or where the
 * request or the operator wants it so, the address itself (contract §10.4, §10.5). Links are sealed
 * if the playlist came by a sealed link, and wherever a readable one could not carry what they
 * need: cookies that the origin has set, or a password that came in a header.
 *
 * <p>Confined to one caller and one playlist: segments without a known ending are taken for fMP4
 * once an initialization section was seen.
 */
public final class ChildLinks implements UriRewriter {
  /** Of a segment: it is to be delivered in the clear, and this is where its key is. */
  private static final String DECRYPT_KEY = "decrypt_key";

  /**
   * Of a part, and of a hint at one: its origin may keep the answer back until there is one.
   * Players tell by the address that both are the same, so both links are.
   */
  static final String PART = "part";

  private final HlsParameters parameters;
  private final KeyParameters keys;
  private final LinkShape links;
  private final boolean isSealed;
  private final Optional<OriginCredentials> credentials;
  private final Optional<BiConsumer<ByteBuilder, ByteBuilder>> segmentsElsewhere;
  private boolean hasMap;

  private ChildLinks(
      HlsParameters parameters,
      LinkShape links,
      Optional<OriginCredentials> credentials,
      Optional<BiConsumer<ByteBuilder, ByteBuilder>> segmentsElsewhere) {
    this.parameters = parameters;
    this.keys = parameters.keys();
    this.links = links;
    this.isSealed = links instanceof SealedLinks;
    this.credentials = credentials;
    this.segmentsElsewhere = segmentsElsewhere;
  }

  /**
   * The links of one playlist.
   *
   * @param grant what its request was let in for
   * @param publicAddress how that request has reached this server
   * @param head of the origin's answer
   * @param tokens absent: this server has no password, and seals nothing
   */
  public static ChildLinks of(
      HlsParameters parameters,
      Grant grant,
      PublicAddress publicAddress,
      UpstreamHead head,
      HlsConfig config,
      Optional<LinkTokens> tokens) {
    SetCookies cookies = parameters.cookies().and(head.cookies());
    boolean isReadable =
        grant.rights().isEmpty()
            && cookies.isEmpty()
            && parameters.query().value(Claim.PASSWORD).isPresent();
    ChildParameters childParameters = ChildParameters.of(parameters);
    LinkShape links =
        tokens.isEmpty() || isReadable
            ? new PlainLinks(publicAddress, childParameters)
            : new SealedLinks(
                new LinkSeal(
                    publicAddress, tokens.get(), grant.rights().orElse(ofThisFamily()), cookies),
                childParameters);
    return new ChildLinks(
        parameters,
        links,
        head.target().userInfo().map(user -> OriginCredentials.of(head.target())),
        segmentsElsewhere(parameters, config));
  }

  private static LinkRights ofThisFamily() {
    return new LinkRights(Optional.empty(), Optional.empty(), Optional.of(Endpoint.HLS.label()));
  }

  private static Optional<BiConsumer<ByteBuilder, ByteBuilder>> segmentsElsewhere(
      HlsParameters parameters, HlsConfig config) {
    return switch (config.routing()) {
      case MEDIAFLOW -> Optional.empty();
      case DIRECT -> Optional.of(ChildLinks::appendDirect);
      case STREMIO ->
          config.stremioUrl().map(url -> new StremioLinks(url, parameters.stream())::append);
    };
  }

  /** Whether whoever has such a link can use it without knowing anything else. */
  public boolean holdSecrets() {
    return isSealed
        || !keys.ring().isEmpty()
        || parameters.query().value(Claim.PASSWORD).isPresent();
  }

  @Override
  public void rewrite(UriKind kind, ByteBuilder uri, Map<String, String> carried, ByteBuilder out) {
    hasMap |= kind == UriKind.MAP;
    ByteBuilder address = reached(kind, uri);
    if (parameters.isUnproxied()) {
      appendDirect(address, out);
      return;
    }
    if (kind == UriKind.SEGMENT) {
      appendSegment(address, carried, out);
      return;
    }
    ChildRoute route = route(kind, address);
    Map<String, String> further = proxied(carried);
    if (kind == UriKind.PART || kind == UriKind.PRELOAD_HINT) {
      further = with(further, PART, "1");
    }
    links.append(route, group(kind, route), address, further, out);
  }

  /**
   * The same for a list of channels: what ends like a playlist leads to the route of playlists, all
   * else to that of streams, with the {@linkplain ChannelFields fields} that the list gives it.
   * What is not to lead here keeps them where they are. The operator's routing of segments does not
   * concern channels: their fields would be lost.
   */
  public UriRewriter ofChannels() {
    return (kind, uri, carried, out) -> {
      if (kind == UriKind.SEGMENT && !parameters.isUnproxied()) {
        appendChannel(uri, carried, out);
      } else {
        rewrite(kind, uri, carried, out);
      }
    };
  }

  private void appendChannel(ByteBuilder entry, Map<String, String> carried, ByteBuilder out) {
    int length = ChannelFields.addressLength(entry);
    ByteBuilder address = new ByteBuilder(length).append(entry.array(), 0, length);
    if (ChildRoute.isPlaylist(address)) {
      links.append(
          ChildRoute.PLAYLIST, Group.PLAYLISTS, reached(UriKind.SEGMENT, address), carried, out);
    } else if (parameters.isKeyOnly()) {
      appendDirect(entry, out);
    } else {
      links.append(ChildRoute.STREAM, Group.MEDIA, reached(UriKind.SEGMENT, address), carried, out);
    }
  }

  private void appendSegment(ByteBuilder address, Map<String, String> carried, ByteBuilder out) {
    ChildRoute route = ChildRoute.of(address).orElse(segmentRoute());
    if (route == ChildRoute.PLAYLIST) {
      links.append(route, Group.PLAYLISTS, address, carried, out);
    } else if (carried.containsKey(DECRYPT_KEY)
        || carried.containsKey(ClearKeys.SAMPLES_PARAMETER)) {
      links.append(route, Group.MEDIA, address, proxied(carried), out);
    } else if (parameters.isKeyOnly()) {
      appendDirect(address, out);
    } else if (segmentsElsewhere.isPresent() && !parameters.isForced()) {
      segmentsElsewhere.get().accept(address, out);
    } else {
      links.append(route, Group.MEDIA, address, carried, out);
    }
  }

  private ChildRoute route(UriKind kind, ByteBuilder address) {
    return switch (kind) {
      case VARIANT, RENDITION, I_FRAME_VARIANT, IMAGE_VARIANT, RENDITION_REPORT, ASSET ->
          ChildRoute.PLAYLIST;
      case ASSET_LIST, STEERING -> ChildRoute.LIST;
      case KEY, SESSION_KEY, SESSION_DATA -> ChildRoute.KEY;
      case MAP -> mediaRoute(address, ChildRoute.MP4);
      case SEGMENT, PART, PRELOAD_HINT -> mediaRoute(address, segmentRoute());
    };
  }

  private ChildRoute segmentRoute() {
    return hasMap ? ChildRoute.M4S : ChildRoute.TS;
  }

  private static ChildRoute mediaRoute(ByteBuilder address, ChildRoute otherwise) {
    return ChildRoute.of(address).filter(route -> route != ChildRoute.PLAYLIST).orElse(otherwise);
  }

  private static Group group(UriKind kind, ChildRoute route) {
    return switch (route) {
      case PLAYLIST, LIST -> Group.PLAYLISTS;
      case KEY -> Group.PLAIN;
      case TS, M4S, MP4, AAC, MP3, AC3, EC3, VTT, STREAM ->
          kind == UriKind.MAP ? Group.PLAIN : Group.MEDIA;
    };
  }

  /** Where it is fetched from: keys perhaps elsewhere, credentials of the playlist's origin. */
  private ByteBuilder reached(UriKind kind, ByteBuilder uri) {
    boolean isKey = kind == UriKind.KEY || kind == UriKind.SESSION_KEY;
    if (isKey && parameters.keyHost().isPresent()) {
      return withKeyHost(uri, parameters.keyHost().get());
    }
    return credentials.map(known -> known.with(uri)).orElse(uri);
  }

  private static ByteBuilder withKeyHost(ByteBuilder uri, String keyHost) {
    int pathStart = AddressText.pathStart(uri);
    return new ByteBuilder(uri.length() + keyHost.length())
        .append(keyHost)
        .append(uri.array(), pathStart, uri.length() - pathStart);
  }

  private Map<String, String> proxied(Map<String, String> carried) {
    if (carried.containsKey(ClearKeys.SAMPLES_PARAMETER)) {
      return withKeys(carried);
    }
    String key = carried.get(DECRYPT_KEY);
    if (key == null) {
      return carried;
    }
    ByteBuilder address = new ByteBuilder(key.length()).append(key);
    return with(carried, DECRYPT_KEY, reached(UriKind.KEY, address).toString());
  }

  private Map<String, String> withKeys(Map<String, String> carried) {
    Map<String, String> all = new LinkedHashMap<>(carried);
    String init = carried.getOrDefault(ClearKeys.INIT_PARAMETER, "");
    if (!init.isEmpty()) {
      ByteBuilder address = new ByteBuilder(init.length()).append(init);
      all.put(ClearKeys.INIT_PARAMETER, reached(UriKind.MAP, address).toString());
    }
    all.put(KeyParameters.KEY_ID, keys.keyIds());
    all.put(KeyParameters.KEY, keys.keys());
    return all;
  }

  private static Map<String, String> with(Map<String, String> carried, String name, String value) {
    Map<String, String> changed = new LinkedHashMap<>(carried);
    changed.put(name, value);
    return changed;
  }

  /** As it is, less what would end a line or a quoted value. */
  private static void appendDirect(ByteBuilder address, ByteBuilder out) {
    for (int i = 0; i < address.length(); i++) {
      byte b = address.at(i);
      if (b == '"' || (b >= 0 && b < ' ') || b == 0x7f) {
        out.append(String.format("%%%02X", b).getBytes(UTF_8));
      } else {
        out.append(b);
      }
    }
  }
}
