package dev.millrace.servlet;

import dev.millrace.hls.ChannelFields;
import dev.millrace.hls.Edit;
import dev.millrace.hls.PlaylistOutline;
import dev.millrace.hls.PlaylistRewriter;
import dev.millrace.hls.PlaylistText;
import dev.millrace.hls.UriRewriter;
import dev.millrace.proxy.ChildLinks;
import dev.millrace.proxy.HlsParameters;
import dev.millrace.proxy.ManifestPlanner;
import dev.millrace.proxy.ResponsePlan;
import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.UpstreamHead;
import java.nio.ByteBuffer;
import java.util.function.Function;
import org.eclipse.jetty.io.Content;

/**
 * Answers with a playlist, or a list of channels, once all of it is here: edited, its addresses
 * exchanged, written while it is read. Says how long what was read may be given to others.
 */
final class PlaylistAnswer implements CollectedText.Listener {
  private final HlsServices services;
  private final RouteRequest request;
  private final HlsParameters parameters;
  private final FetchRequest asked;
  private final UpstreamHead head;
  private final Errand.Reply reply;

  /**
   * @param asked what a document of this address is asked for with
   * @param head of what was answered
   */
  PlaylistAnswer(
      HlsServices services,
      RouteRequest request,
      HlsParameters parameters,
      FetchRequest asked,
      UpstreamHead head,
      Errand.Reply reply) {
    this.services = services;
    this.request = request;
    this.parameters = parameters;
    this.asked = asked;
    this.head = head;
    this.reply = reply;
  }

  static Content.Source nothing() {
    return Content.Source.from(ByteBuffer.allocate(0));
  }

  @Override
  public void collected(PlaylistText text) {
    try {
      respond(text);
    } catch (RuntimeException e) { // thrown on, it would be lost
      reply.fail(e);
    }
  }

  @Override
  public void failed(Throwable failure) {
    reply.fail(failure);
  }

  private void respond(PlaylistText text) {
    PlaylistOutline outline = PlaylistOutline.of(text);
    services.cache().keepFor(asked, PlaylistAge.mostFor(outline));
    ChildLinks links = services.links(parameters, request, head);
    String baseUri = head.target().url();
    var imported = parameters.imported();
    boolean isChannels = outline.isChannelList();
    Iterable<Edit> edits =
        isChannels
            ? new ChannelFields(text)
            : parameters.filters(services.config()).edits(text, outline, baseUri, imported);
    UriRewriter uris = isChannels ? links.ofChannels() : links;
    PlaylistBody body =
        body(outline, uris, u -> new PlaylistRewriter(text, baseUri, imported, edits, u));
    ResponsePlan plan =
        ManifestPlanner.playlist(
            parameters, links.holdSecrets(), !outline.isEnded(), body.length());
    reply.respond(plan, request.isHead() ? nothing() : body);
  }

  /** What it lists may be fetched ahead once all of it has been written. */
  private PlaylistBody body(
      PlaylistOutline outline, UriRewriter uris, Function<UriRewriter, PlaylistRewriter> rewriter) {
    if (request.isHead() || !ListedSegments.canBeNoted(services, parameters, outline, head)) {
      return PlaylistBody.of(rewriter.apply(uris)::write, () -> {});
    }
    ListedSegments listed = ListedSegments.of(services, parameters, outline, uris);
    return PlaylistBody.of(rewriter.apply(listed)::write, listed::end);
  }
}
