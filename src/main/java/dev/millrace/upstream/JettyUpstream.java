package dev.millrace.upstream;

import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.MemoryBudget;
import dev.millrace.stream.OverBudgetException;
import dev.millrace.upstream.UpstreamException.Kind;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.eclipse.jetty.client.AbstractConnectionPool;
import org.eclipse.jetty.client.ConnectionPool;
import org.eclipse.jetty.client.Destination;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.HttpResponseException;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.client.transport.HttpClientTransportDynamic;
import org.eclipse.jetty.client.transport.HttpDestination;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Sends requests over Jetty's client and its pools, one per origin. */
public final class JettyUpstream implements Upstream {
  /** A destination of its own, whose connections are never pooled: requests carry "close". */
  static final String FRESH = "fresh";

  private static final int OK = 200;

  private final HttpClient client;

  /** Whether a connection may carry many requests. */
  private final boolean http2;

  private final MemoryBudget memory;

  private JettyUpstream(HttpClient client, boolean http2, MemoryBudget memory) {
    this.client = client;
    this.http2 = http2;
    this.memory = memory;
  }

  /**
   * Takes over a started client of {@link JettyClientFactory}: from here on it neither decodes nor
   * handles any response by itself.
   */
  public static JettyUpstream over(HttpClient client) {
    client.getContentDecoderFactories().clear();
    client.getProtocolHandlers().clear();
    client.getProtocolHandlers().put(new JettyInterimResponses());
    return new JettyUpstream(
        client,
        client.getHttpClientTransport() instanceof HttpClientTransportDynamic,
        ((JettyElasticClient) client).memory());
  }

  @Override
  public Exchange send(UpstreamRequest request, Listener listener) {
    JettyRequest proxyRequest = new JettyRequest(client, request.target());
    proxyRequest.method(request.method());
    proxyRequest.idleTimeout(0, TimeUnit.MILLISECONDS); // silence is limited by FetchBody
    proxyRequest.headers(
        fields -> request.headers().forEach(line -> fields.add(line.name(), line.value())));
    if (request.headers().first("Connection").filter("close"::equals).isPresent()) {
      proxyRequest.tag(FRESH);
    }
    StreamWindow window;
    try {
      if (isFull(client.resolveDestination(proxyRequest))) {
        return refuse(listener, originBusy());
      }
      boolean mayBeHttp2 = http2 && request.target().scheme().equals("https");
      window = mayBeHttp2 ? StreamWindow.reserve(memory) : StreamWindow.NONE;
    } catch (IllegalStateException stopping) {
      return refuse(listener, new UpstreamException(Kind.CANCELLED, stopping));
    } catch (OverBudgetException e) {
      return refuse(listener, e);
    }
    proxyRequest.send(new Answer(request, listener, window));
    return cause -> {
      var unused = proxyRequest.abort(cause);
    };
  }

  private static Exchange refuse(Listener listener, ExchangeException failure) {
    listener.onFailure(failure);
    listener.onComplete();
    return cause -> {};
  }

  /** Streams hold every connection that this origin may have: waiting would have no end. */
  private boolean isFull(Destination destination) {
    ConnectionPool pool = ((HttpDestination) destination).getConnectionPool();
    if (http2) {
      return ((JettyNegotiatedHttp.SharedPool) pool).isFull();
    }
    return ((AbstractConnectionPool) pool).getActiveConnectionCount()
        >= client.getMaxConnectionsPerDestination();
  }

  private static OverBudgetException originBusy() {
    return new OverBudgetException(
        "origin_busy", "All connections to this origin are in use; try again shortly.");
  }

  private static final class Answer
      implements Response.ContentSourceListener, Response.CompleteListener {
    private final UpstreamRequest request;
    private final Listener listener;
    private final StreamWindow window;
    private boolean isAnswered;

    Answer(UpstreamRequest request, Listener listener, StreamWindow window) {
      this.request = request;
      this.listener = listener;
      this.window = window;
    }

    @Override
    public void onContentSource(Response serverResponse, Content.Source body) {
      isAnswered = true;
      Headers headers = headersOf(serverResponse);
      int status = serverResponse.getStatus();
      Content.Source readable = body;
      if (serverResponse.getVersion() != HttpVersion.HTTP_2) {
        window.release();
      } else if (request.method().equals("HEAD")) {
        // an empty DATA frame may end it, which Jetty holds against the announced length
        Content.Source.consumeAll(body, Callback.NOOP);
        readable = Content.Source.from(ByteBuffer.allocate(0));
      }
      if (status == OK && isGzip(headers)) {
        headers = decoded(headers);
        if (!request.method().equals("HEAD")) {
          readable = new DecodedBody(body);
        }
      }
      listener.onResponse(new UpstreamHead(status, headers, request.target()), readable);
    }

    @Override
    public void onComplete(Result result) {
      window.release();
      if (!isAnswered) {
        listener.onFailure(failureOf(result));
      }
      listener.onComplete();
    }
  }

  private static Headers headersOf(Response serverResponse) {
    List<Header> lines = new ArrayList<>(serverResponse.getHeaders().size());
    for (HttpField field : serverResponse.getHeaders()) {
      String value = field.getValue();
      lines.add(new Header(field.getName(), value == null ? "" : value));
    }
    return new Headers(lines);
  }

  private static boolean isGzip(Headers headers) {
    return headers
        .first("Content-Encoding")
        .map(String::strip)
        .filter(coding -> coding.equalsIgnoreCase("gzip") || coding.equalsIgnoreCase("x-gzip"))
        .isPresent();
  }

  /** The fields of the decoded body: another length, no ranges, and at most a weak tag. */
  private static Headers decoded(Headers coded) {
    Headers headers =
        coded.without("Content-Encoding").without("Content-Length").without("Accept-Ranges");
    return headers
        .first("ETag")
        .filter(tag -> !tag.startsWith("W/"))
        .map(tag -> headers.with("ETag", "W/" + tag))
        .orElse(headers);
  }

  private static ExchangeException failureOf(Result result) {
    Throwable failure = result.getFailure();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ExchangeException known) {
        return known;
      }
      Kind kind = kindOf(cause);
      if (kind != null) {
        return new UpstreamException(kind, failure);
      }
      if (cause instanceof RejectedExecutionException) {
        return originBusy();
      }
    }
    return new UpstreamException(Kind.UPSTREAM_CLOSED, failure);
  }

  private static @Nullable Kind kindOf(Throwable cause) {
    if (cause instanceof SocketTimeoutException || cause instanceof TimeoutException) {
      return Kind.CONNECT_TIMEOUT;
    }
    if (cause instanceof ConnectException || cause instanceof NoRouteToHostException) {
      return Kind.CONNECT_FAILED;
    }
    if (cause instanceof SSLException || cause instanceof GeneralSecurityException) {
      return Kind.TLS_FAILED;
    }
    return cause instanceof HttpResponseException ? Kind.BAD_RESPONSE : null;
  }
}
