package dev.millrace.servlet;

import dev.millrace.cenc.InitSegmentCleaner;
import dev.millrace.proxy.DashSegmentParameters;
import dev.millrace.proxy.DashSegmentParameters.Part;
import dev.millrace.proxy.HeaderPolicy;
import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.Fetch;
import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.Fetching;
import dev.millrace.upstream.Target;
import dev.millrace.upstream.UpstreamException;
import dev.millrace.upstream.UpstreamException.Kind;
import dev.millrace.upstream.UpstreamHead;
import dev.millrace.upstream.UpstreamRequest;
import java.util.OptionalLong;
import org.eclipse.jetty.io.Content;

/** Brings an initialization segment without any trace of its protection, at its length. */
final class InitErrand implements Errand {
  private final ClearMediaServices services;
  private final DashSegmentParameters parameters;
  private final ClearMediaAnswer answer;
  private final Part part;
  private final TextHold memory;

  InitErrand(
      ClearMediaServices services, DashSegmentParameters parameters, ClearMediaAnswer answer) {
    this.services = services;
    this.parameters = parameters;
    this.answer = answer;
    this.part = parameters.initialization().orElseThrow();
    this.memory = services.newHold();
  }

  @Override
  public Target destination() {
    return part.address();
  }

  @Override
  public void begin(Listener listener) {
    listener.requestRead();
    listener.ask(request(services, parameters, part));
  }

  /** Always by GET: what a HEAD says is what a GET would say. */
  static FetchRequest request(
      ClearMediaServices services, DashSegmentParameters parameters, Part part) {
    return FetchRequest.of(
        new UpstreamRequest(
            "GET",
            part.address(),
            HeaderPolicy.toUpstream(
                parameters.fields().to(part.address()),
                part.rangeRequest(),
                services.stream().proxyConfig())));
  }

  @Override
  public Fetching fetch(FetchRequest request, Fetch.Listener listener) {
    return services
        .source()
        .fetch(
            request,
            new Fetch.Listener() {
              @Override
              public void onResponse(UpstreamHead head, Content.Source body) {
                listener.onResponse(head, body);
              }

              @Override
              public void onFailure(ExchangeException failure) {
                listener.onFailure(InitFetch.told(failure));
              }
            });
  }

  @Override
  public void answer(UpstreamHead head, Content.Source body, Reply reply) {
    new InitFetch(part, memory, new Taken(reply)).onResponse(head, body);
  }

  @Override
  public void close() {
    memory.close();
  }

  /** Has it cleaned, if there are keys. */
  private final class Taken implements InitFetch.Listener {
    private final Reply reply;

    Taken(Reply reply) {
      this.reply = reply;
    }

    @Override
    public void initFetched(UpstreamHead head, FetchedInit init) {
      try {
        byte[] clear = clear(parameters, init);
        answer.respond(head, OptionalLong.of(clear.length), clear, PlaylistAnswer.nothing(), reply);
      } catch (ExchangeException | RuntimeException e) { // thrown on, it would be lost
        reply.fail(e);
      }
    }

    @Override
    public void initFailed(Throwable failure) {
      reply.fail(
          failure instanceof ExchangeException
              ? failure
              : new UpstreamException(Kind.UPSTREAM_CLOSED, failure));
    }
  }

  /**
   * As the player gets it: as it is without keys.
   *
   * @throws ExchangeException (502) if it is none
   */
  static byte[] clear(DashSegmentParameters parameters, FetchedInit init) throws ExchangeException {
    if (!parameters.keys().ring().isEmpty()) {
      return InitSegmentCleaner.clean(init.bytes(), false);
    }
    if (parameters.isIsoMedia()) {
      init.requireMovie();
    }
    return init.bytes();
  }
}
