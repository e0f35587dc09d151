package dev.millrace.servlet;

import dev.millrace.hls.BadListException;
import dev.millrace.hls.JsonList;
import dev.millrace.hls.PlaylistText;
import dev.millrace.proxy.ChildLinks;
import dev.millrace.proxy.HlsParameters;
import dev.millrace.proxy.ManifestPlanner;
import dev.millrace.proxy.OriginStatusException;
import dev.millrace.stream.ByteBuilder;
import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.Fetch;
import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.Fetching;
import dev.millrace.upstream.Target;
import dev.millrace.upstream.UpstreamHead;
import dev.millrace.upstream.UpstreamRequest;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.eclipse.jetty.io.Content;

/** Brings a list in JSON, of at most {@link JsonList#MAX_BYTES}, with other addresses in it. */
final class ListErrand implements Errand {
  private final HlsServices services;
  private final RouteRequest request;
  private final HlsParameters parameters;
  private final TextHold texts;

  ListErrand(HlsServices services, RouteRequest request, HlsParameters parameters) {
    this.services = services;
    this.request = request;
    this.parameters = parameters;
    this.texts = services.newText();
  }

  @Override
  public Target destination() {
    return parameters.stream().destination();
  }

  @Override
  public void begin(Listener listener) {
    listener.requestRead();
    UpstreamRequest question =
        UpstreamRequest.document(
            parameters.list(), parameters.documentHeaders(services.stream().proxyConfig()));
    listener.ask(new FetchRequest(question, List.of(), false));
  }

  @Override
  public Fetching fetch(FetchRequest fetch, Fetch.Listener listener) {
    return services.cache().fetch(fetch, listener);
  }

  @Override
  public void answer(UpstreamHead head, Content.Source body, Reply reply) throws ExchangeException {
    if (head.status() < 200 || head.status() >= 300) {
      throw OriginStatusException.of(head);
    }
    new CollectedText(
            body,
            texts,
            JsonList.MAX_BYTES,
            BadListException::tooLarge,
            new CollectedText.Listener() {
              @Override
              public void collected(PlaylistText text) {
                try {
                  respond(text, head, reply);
                } catch (ExchangeException | RuntimeException e) { // thrown on, it would be lost
                  reply.fail(e);
                }
              }

              @Override
              public void failed(Throwable failure) {
                reply.fail(failure);
              }
            })
        .run();
  }

  private void respond(PlaylistText text, UpstreamHead head, Reply reply) throws ExchangeException {
    ByteBuilder json = new ByteBuilder(text.length());
    text.cursor().read(json, text.length());
    ChildLinks links = services.links(parameters, request, head);
    byte[] written = JsonList.rewritten(json.toByteArray(), head.target().url(), links);
    reply.respond(
        ManifestPlanner.list(parameters, links.holdSecrets(), written.length),
        Content.Source.from(ByteBuffer.wrap(written, 0, request.isHead() ? 0 : written.length)));
  }

  @Override
  public Duration patience(Duration ofStreams) {
    return ofStreams.compareTo(TextHold.PATIENCE) < 0 ? ofStreams : TextHold.PATIENCE;
  }

  @Override
  public void close() {
    texts.close();
  }
}
