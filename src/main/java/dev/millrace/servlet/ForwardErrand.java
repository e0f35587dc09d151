package dev.millrace.servlet;

import dev.millrace.proxy.ForwardParameters;
import dev.millrace.proxy.ForwardPlanner;
import dev.millrace.proxy.HeaderPolicy;
import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.WaitTimer;
import dev.millrace.upstream.Fetch;
import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.Fetching;
import dev.millrace.upstream.Header;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.PublicIpSource;
import dev.millrace.upstream.Target;
import dev.millrace.upstream.UpstreamHead;
import dev.millrace.upstream.UpstreamRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * Passes one request on as it is, and its answer back.
 *
 * <h2>The body of the request</h2>
 *
 * Up to {@link GatheredBody#MAX_BYTES} it is gathered first, placeholders are replaced, and it goes
 * out with its exact length. A longer one streams: of known length as it is, because a body whose
 * length may change would have to be sent chunked, which many servers refuse; of unknown length
 * with placeholders replaced. A coded body is not looked into.
 */
final class ForwardErrand implements Errand, GatheredBody.Listener {
  /** Methods whose request is told to have no body, if it has none (RFC 9110 §8.6). */
  private static final Set<String> EXPECTS_BODY = Set.of("POST", "PUT", "PATCH");

  private final StreamServices services;
  private final ForwardConfig config;
  private final PublicIpSource publicIp;
  private final HttpServletRequest clientRequest;
  private final ForwardParameters parameters;
  private final String method;
  private final long length;
  private final boolean isForBrowser;
  private final Headers headers;
  private volatile @Nullable ClientBody body;
  private @Nullable Listener listener;
  private Target target;

  ForwardErrand(
      StreamServices services,
      ForwardConfig config,
      PublicIpSource publicIp,
      HttpServletRequest clientRequest,
      ForwardParameters parameters) {
    this.services = services;
    this.config = config;
    this.publicIp = publicIp;
    this.clientRequest = clientRequest;
    this.parameters = parameters;
    this.method = clientRequest.getMethod();
    this.length = clientRequest.getContentLengthLong();
    this.isForBrowser = isFromBrowser(clientRequest);
    this.headers =
        HeaderPolicy.forwarded(parameters, fieldsOf(clientRequest), services.proxyConfig());
    this.target = parameters.destination();
  }

  /** Programs do not send these fields (Fetch Metadata Request Headers §2). */
  private static boolean isFromBrowser(HttpServletRequest clientRequest) {
    return Collections.list(clientRequest.getHeaderNames()).stream()
        .anyMatch(name -> name.toLowerCase(Locale.ROOT).startsWith("sec-fetch-"));
  }

  private static Headers fieldsOf(HttpServletRequest clientRequest) {
    List<Header> lines = new ArrayList<>();
    for (String name : HeaderPolicy.OF_CLIENT) {
      List<String> values = Collections.list(clientRequest.getHeaders(name));
      if (!values.isEmpty()) {
        lines.add(new Header(name, String.join(", ", values)));
      }
    }
    return new Headers(lines);
  }

  @Override
  public Target destination() {
    return parameters.destination();
  }

  @Override
  public long bufferBytes() {
    return 2 * StreamServices.BUFFER_BYTES; // both ways
  }

  @Override
  public void begin(Listener told) throws IOException {
    listener = told;
    if (AddressPlaceholder.isIn(target.requestTarget())) {
      withAddress(
          address -> {
            target = withAddress(target, address);
            beginBody(told);
          });
    } else {
      beginBody(told);
    }
  }

  private static Target withAddress(Target target, String address) {
    return new Target(
        target.scheme(),
        target.host(),
        target.port(),
        AddressPlaceholder.replaced(target.requestTarget(), address),
        target.userInfo());
  }

  private void withAddress(Consumer<String> use) {
    var unused =
        publicIp
            .addressFor(target)
            .whenComplete(
                (address, failure) -> {
                  if (failure == null) {
                    use.accept(address);
                  } else {
                    failed(withoutAddress(failure));
                  }
                });
  }

  static ExchangeException withoutAddress(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof ExchangeException known
        ? known
        : ForwardException.publicAddressUnknown(cause);
  }

  private void beginBody(Listener told) {
    if (!mayHaveBody()) {
      told.requestRead();
      ended(new byte[0]);
      return;
    }
    try {
      ClientBody opened =
          new ClientBody(
                  clientRequest.getInputStream(),
                  length,
                  config.maxRequestBodyBytes(),
                  this::silenceTimer,
                  told::requestRead,
                  told::requestBroken)
              .open();
      body = opened;
      if (length > GatheredBody.MAX_BYTES || headers.has("Content-Encoding")) {
        ask(Optional.of(opened));
      } else {
        GatheredBody.gather(opened, this);
      }
    } catch (IOException | RuntimeException e) {
      failed(ForwardException.clientFailed(e));
    }
  }

  /** RFC 9112 §6; in HTTP/2 only the end of the stream tells. */
  private boolean mayHaveBody() {
    return length > 0
        || (length < 0
            && (clientRequest.getHeader("Transfer-Encoding") != null
                || !clientRequest.getProtocol().startsWith("HTTP/1")));
  }

  private WaitTimer silenceTimer(Runnable action) {
    return new WaitTimer(
        services.timer(), services.nanoTime(), services.config().clientIdleTimeout(), action);
  }

  @Override
  public void ended(byte[] all) {
    if (AddressPlaceholder.isIn(all)) {
      withAddress(address -> askWith(AddressPlaceholder.replaced(all, address)));
    } else {
      askWith(all);
    }
  }

  private void askWith(byte[] whole) {
    boolean hasBody = whole.length > 0 || EXPECTS_BODY.contains(method);
    ask(hasBody ? Optional.of(Content.Source.from(ByteBuffer.wrap(whole))) : Optional.empty());
  }

  @Override
  public void goesOn(byte[] begun) {
    ClientBody rest = body;
    if (rest != null) {
      ask(Optional.of(new AddressedBody(begun, rest, () -> publicIp.addressFor(target))));
    }
  }

  private void ask(Optional<Content.Source> content) {
    Listener told = listener;
    if (told != null) {
      told.ask(FetchRequest.of(UpstreamRequest.forwarded(method, target, headers, content)));
    }
  }

  @Override
  public void failed(ExchangeException failure) {
    Listener told = listener;
    if (told != null) {
      told.fail(failure);
    }
  }

  @Override
  public Fetching fetch(FetchRequest request, Fetch.Listener told) {
    return services.fetcher().fetch(request, told);
  }

  @Override
  public void answer(UpstreamHead head, Content.Source answer, Reply reply)
      throws ExchangeException {
    boolean isTooLong = head.contentLength().orElse(0) > config.maxResponseBodyBytes();
    if (isTooLong && !method.equals("HEAD")) {
      throw ForwardException.responseTooLarge(config.maxResponseBodyBytes());
    }
    reply.respond(
        ForwardPlanner.plan(parameters, head, isForBrowser),
        new LimitedBody(answer, config.maxResponseBodyBytes()));
  }

  @Override
  public boolean isRequestRead() {
    ClientBody opened = body;
    return opened == null ? !mayHaveBody() : opened.isRead();
  }

  @Override
  public void cancel(ExchangeException cause) {
    ClientBody opened = body;
    if (opened != null) {
      opened.fail(cause);
    }
  }

  @Override
  public void close() {
    ClientBody opened = body;
    if (opened != null) {
      opened.close();
    }
  }
}
