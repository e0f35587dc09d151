package dev.millrace.servlet;

import dev.millrace.cache.Prefetch;
import dev.millrace.hls.PlaylistOutline;
import dev.millrace.hls.UriKind;
import dev.millrace.hls.UriRewriter;
import dev.millrace.proxy.HeaderPolicy;
import dev.millrace.proxy.HlsParameters;
import dev.millrace.proxy.RangeRequest;
import dev.millrace.stream.ByteBuilder;
import dev.millrace.upstream.BadTargetException;
import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.Target;
import dev.millrace.upstream.UpstreamHead;
import dev.millrace.upstream.UpstreamRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Notes the segments of a playlist while it is rewritten, as the segment route will ask for them,
 * and tells {@link Prefetch} when all are known. Confined to one caller.
 */
final class ListedSegments implements UriRewriter {
  private final UriRewriter links;
  private final Prefetch prefetch;
  private final FetchRequest playlist;
  private final Headers headers;
  private final long firstNumber;
  private final List<FetchRequest> segments = new ArrayList<>();
  private boolean isComplete = true;

  private ListedSegments(
      UriRewriter links,
      Prefetch prefetch,
      FetchRequest playlist,
      Headers headers,
      long firstNumber) {
    this.links = links;
    this.prefetch = prefetch;
    this.playlist = playlist;
    this.headers = headers;
    this.firstNumber = firstNumber;
  }

  /**
   * Whether its segments are asked for here, and all with the same fields: not if each has cookies
   * or credentials of its own.
   */
  static boolean canBeNoted(
      HlsServices services, HlsParameters parameters, PlaylistOutline outline, UpstreamHead head) {
    return services.cache().prefetch().isOn()
        && services.config().leadsSegmentsHere(parameters)
        && !outline.isMultivariant()
        && !outline.isChannelList()
        && !outline.isDelta()
        && parameters.cookies().and(head.cookies()).isEmpty()
        && head.target().userInfo().isEmpty();
  }

  static ListedSegments of(
      HlsServices services, HlsParameters parameters, PlaylistOutline outline, UriRewriter links) {
    var config = services.stream().proxyConfig();
    FetchRequest playlist =
        FetchRequest.of(
            UpstreamRequest.document(
                parameters.stream().destination(), parameters.documentHeaders(config)));
    return new ListedSegments(
        links,
        services.cache().prefetch(),
        playlist,
        HeaderPolicy.toUpstream(parameters.stream(), RangeRequest.NONE, config),
        outline.mediaSequence());
  }

  @Override
  public void rewrite(UriKind kind, ByteBuilder uri, Map<String, String> carried, ByteBuilder out) {
    if (kind == UriKind.SEGMENT && isComplete && segments.size() < Prefetch.MAX_SEGMENTS) {
      note(uri, carried);
    }
    links.rewrite(kind, uri, carried, out);
  }

  private void note(ByteBuilder uri, Map<String, String> carried) {
    try {
      Target target = Target.parse(uri.toString());
      segments.add(FetchRequest.of(new UpstreamRequest("GET", target, headers)));
      isComplete = carried.isEmpty() && target.userInfo().isEmpty();
    } catch (BadTargetException e) {
      isComplete = false; // the places of those after it would be wrong
    }
  }

  /** The playlist has been rewritten to its end. */
  void end() {
    prefetch.follow(playlist, isComplete ? segments : List.of(), firstNumber);
  }
}
