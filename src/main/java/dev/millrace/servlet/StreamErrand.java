package dev.millrace.servlet;

import dev.millrace.proxy.ByteRange;
import dev.millrace.proxy.HeaderPolicy;
import dev.millrace.proxy.MediaTypes;
import dev.millrace.proxy.ProxyParameters;
import dev.millrace.proxy.RangeRequest;
import dev.millrace.proxy.ResponsePlan;
import dev.millrace.proxy.StreamPlanner;
import dev.millrace.stream.ByteTransform;
import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.Fetch;
import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.Fetching;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.Target;
import dev.millrace.upstream.UpstreamHead;
import dev.millrace.upstream.UpstreamRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.eclipse.jetty.io.Content;

/** Brings a stream, or the range of it that the client asks for. */
final class StreamErrand implements Errand {
  private static final String KEY_ENDING = "key";

  private final StreamServices services;
  private final Fetching.Source source;
  private final HttpServletRequest clientRequest;
  private final ProxyParameters parameters;
  private final RangeRequest range;
  private final boolean isUnwrapped;
  private final String method;

  private StreamErrand(
      StreamServices services,
      Fetching.Source source,
      HttpServletRequest clientRequest,
      ProxyParameters parameters,
      RangeRequest range,
      boolean isUnwrapped) {
    this.services = services;
    this.source = source;
    this.clientRequest = clientRequest;
    this.parameters = parameters;
    this.range = range;
    this.isUnwrapped = isUnwrapped;
    this.method = clientRequest.getMethod();
  }

  /**
   * @param source where the body comes from
   * @throws ExchangeException if the range cannot be read
   */
  static StreamErrand of(
      StreamServices services,
      Fetching.Source source,
      HttpServletRequest clientRequest,
      ProxyParameters parameters)
      throws ExchangeException {
    RangeRequest range =
        services.transforms().has(parameters)
            ? RangeRequest.NONE
            : RangeRequest.of(
                parameters,
                Optional.ofNullable(clientRequest.getHeader("Range")),
                Optional.ofNullable(clientRequest.getHeader("If-Range")));
    boolean isUnwrapped = Unwrapping.isWanted(parameters, range);
    return new StreamErrand(
        services,
        source,
        clientRequest,
        parameters,
        isUnwrapped ? RangeRequest.NONE : range,
        isUnwrapped);
  }

  @Override
  public Target destination() {
    return parameters.destination();
  }

  @Override
  public long bufferBytes() {
    return (long) StreamServices.BUFFER_BYTES + (isUnwrapped ? Unwrapping.BUFFER_BYTES : 0);
  }

  @Override
  public Optional<ByteTransform> transform() {
    return services.transforms().of(parameters, clientRequest);
  }

  @Override
  public void begin(Listener listener) {
    listener.requestRead();
    boolean isKey =
        parameters.segmentEnding().equals(Optional.of(KEY_ENDING))
            && method.equals("GET")
            && range.range().isEmpty();
    listener.ask(
        isKey
            ? keyRequest(services, parameters)
            : request(services, method, parameters, isAll() ? RangeRequest.NONE : range));
  }

  /** Some players ask so for what others ask for without a range: the origin is asked the same. */
  private boolean isAll() {
    return parameters.segmentEnding().isPresent()
        && range.range().filter(ByteRange.ALL::equals).isPresent()
        && range.ifRange().isEmpty();
  }

  /** The question that a request comes to: the same for the same parameters and range. */
  static FetchRequest request(
      StreamServices services, String method, ProxyParameters parameters, RangeRequest range) {
    Headers headers = HeaderPolicy.toUpstream(parameters, range, services.proxyConfig());
    UpstreamRequest first =
        parameters.isPart()
            ? UpstreamRequest.part(method, parameters.destination(), headers)
            : new UpstreamRequest(method, parameters.destination(), headers);
    return new FetchRequest(first, parameters.fallbacks(), parameters.isLive());
  }

  /** The question for a key: nobody keeps it, as its origin may change it at the same address. */
  static FetchRequest keyRequest(StreamServices services, ProxyParameters parameters) {
    Headers headers =
        HeaderPolicy.toUpstream(parameters, RangeRequest.NONE, services.proxyConfig());
    return FetchRequest.of(UpstreamRequest.document(parameters.destination(), headers));
  }

  @Override
  public Fetching fetch(FetchRequest request, Fetch.Listener listener) {
    return source.fetch(request, listener);
  }

  @Override
  public void answer(UpstreamHead head, Content.Source body, Reply reply) throws ExchangeException {
    if (isUnwrapped) {
      unwrap(head, body, reply);
      return;
    }
    if (method.equals("HEAD") || !MediaTypes.needsFirstBytes(parameters, range, head)) {
      reply.respond(StreamPlanner.plan(parameters, range, head, Optional.empty()), body);
      return;
    }
    BodyStart.readFirst(body, new Start(head, reply));
  }

  private void unwrap(UpstreamHead head, Content.Source body, Reply reply)
      throws ExchangeException {
    if (method.equals("HEAD")) {
      reply.respond(Unwrapping.planHead(parameters, head), body);
    } else {
      Unwrapping.answer(parameters, head, body, reply);
    }
  }

  /** Plans the response once the first bytes are here. */
  private final class Start implements BodyStart.Listener {
    private final UpstreamHead head;
    private final Reply reply;

    Start(UpstreamHead head, Reply reply) {
      this.head = head;
      this.reply = reply;
    }

    @Override
    public void begun(ByteBuffer start, Content.Source body) {
      ResponsePlan plan;
      try {
        plan = StreamPlanner.plan(parameters, range, head, Optional.of(start));
      } catch (ExchangeException | RuntimeException e) { // thrown on, it would be lost
        body.fail(e);
        reply.fail(e);
        return;
      }
      reply.respond(plan, body);
    }

    @Override
    public void failed(Throwable failure) {
      reply.fail(failure);
    }
  }
}
