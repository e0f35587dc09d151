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
import org.eclipse.jetty.client.Connection;
import org.eclipse.jetty.client.ConnectionPool;
import org.eclipse.jetty.client.Destination;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.HttpResponseException;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.client.transport.HttpDestination;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Sends requests over Jetty's client and its pools, one per origin. */
public final class JettyUpstream implements Upstream {
  private static final int OK = 200;
  private static final int PROXY_AUTHENTICATION_REQUIRED = 407;

  private final HttpClient client;
  private final RouteTable routes;

  /** Whether a connection may carry many requests. */
  private final boolean http2;

  private final MemoryBudget memory;

  private JettyUpstream(HttpClient client, RouteTable routes, boolean http2, MemoryBudget memory) {
    this.client = client;
    this.routes = routes;
    this.http2 = http2;
    this.memory = memory;
  }

  /**
   * Takes over a started client of {@link JettyClientFactory}: from here on it neither decodes nor
   * handles any response by itself.
   *
   * @param config that the client was made with
   */
  public static JettyUpstream over(HttpClient client, UpstreamConfig config) {
    client.getContentDecoderFactories().clear();
    client.getProtocolHandlers().clear();
    client.getProtocolHandlers().put(new JettyInterimResponses());
    return new JettyUpstream(
        client,
        RouteTable.of(config.routes()),
        config.http2(),
        ((JettyElasticClient) client).memory());
  }

  @Override
  public Exchange send(UpstreamRequest request, Listener listener) {
    return send(request, routeTo(request.target()), listener);
  }

  /** The way that requests to a target take. */
  OutboundRoute routeTo(Target target) {
    return routes.routeTo(target);
  }

  /** Sends by another way than the target's own. */
  Exchange send(UpstreamRequest request, OutboundRoute route, Listener listener) {
    JettyRequest proxyRequest = routed(request.target(), route);
    proxyRequest.method(request.method());
    proxyRequest.idleTimeout(0, TimeUnit.MILLISECONDS); // silence is limited by FetchBody
    proxyRequest.headers(
        fields -> request.headers().forEach(line -> fields.add(line.name(), line.value())));
    request.body().ifPresent(body -> proxyRequest.body(new JettyRequestBody(body)));
    boolean isFresh = request.headers().first("Connection").filter("close"::equals).isPresent();
    proxyRequest.tag(JettyRouteTag.of(route, isFresh));
    StreamWindow window;
    try {
      if (isFull(client.resolveDestination(proxyRequest))) {
        return refuse(listener, originBusy());
      }
      boolean mayBeHttp2 =
          http2 && route.proxy().isEmpty() && request.target().scheme().equals("https");
      window = mayBeHttp2 ? StreamWindow.reserve(memory) : StreamWindow.NONE;
    } catch (IllegalStateException stopping) {
      return refuse(listener, new UpstreamException(Kind.CANCELLED, stopping));
    } catch (OverBudgetException e) {
      return refuse(listener, e);
    }
    proxyRequest.send(new Answer(request, route, listener, window));
    return cause -> {
      var unused = proxyRequest.abort(cause);
    };
  }

  /** Proxies are spoken to in HTTP/1.1, and told who we are unless a tunnel has told it. */
  private JettyRequest routed(Target target, OutboundRoute route) {
    boolean isInAbsoluteForm = route.isInAbsoluteForm(target);
    JettyRequest proxyRequest = new JettyRequest(client, target, isInAbsoluteForm);
    if (route.proxy().isPresent()) {
      proxyRequest.version(HttpVersion.HTTP_1_1);
    }
    if (isInAbsoluteForm) {
      route
          .proxy()
          .flatMap(ForwardProxy::basicAuthorization)
          .ifPresent(
              value -> proxyRequest.headers(fields -> fields.add("Proxy-Authorization", value)));
    }
    return proxyRequest;
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

  private final class Answer implements Response.ContentSourceListener, Response.CompleteListener {
    private final UpstreamRequest request;
    private final OutboundRoute route;
    private final Listener listener;
    private final StreamWindow window;
    private boolean isAnswered;

    Answer(UpstreamRequest request, OutboundRoute route, Listener listener, StreamWindow window) {
      this.request = request;
      this.route = route;
      this.listener = listener;
      this.window = window;
    }

    @Override
    public void onContentSource(Response serverResponse, Content.Source body) {
      int status = serverResponse.getStatus();
      if (status == PROXY_AUTHENTICATION_REQUIRED && route.isInAbsoluteForm(request.target())) {
        var unused =
            serverResponse.abort(
                UpstreamException.refusedByProxy("it asks for other credentials (407)"));
        return;
      }
      isAnswered = true;
      Headers headers = headersOf(serverResponse);
      Content.Source readable = body;
      if (serverResponse.getVersion() != HttpVersion.HTTP_2) {
        window.release();
      } else if (request.method().equals("HEAD")) {
        // an empty DATA frame may end it, which Jetty holds against the announced length
        Content.Source.consumeAll(body, Callback.NOOP);
        readable = Content.Source.from(ByteBuffer.allocate(0));
      }
      if (status == OK && !request.isForwarded() && isGzip(headers)) {
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
      if (http2 && isSilence(result.getFailure())) {
        retire(result.getRequest());
      }
      if (!isAnswered) {
        listener.onFailure(failureOf(result, route, request.target()));
      }
      listener.onComplete();
    }
  }

  private static boolean isSilence(@Nullable Throwable failure) {
    return failure instanceof UpstreamException known
        && (known.kind() == Kind.UPSTREAM_IDLE || known.kind() == Kind.UPSTREAM_TIMEOUT);
  }

  /**
   * A connection on which an origin was silent may be dead: what follows had better not share it.
   */
  private void retire(Request proxyRequest) {
    Connection connection = proxyRequest.getConnection();
    if (connection != null
        && client.resolveDestination(proxyRequest) instanceof HttpDestination destination
        && destination.getConnectionPool() instanceof JettyNegotiatedHttp.SharedPool pool) {
      pool.remove(connection);
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

  private static ExchangeException failureOf(Result result, OutboundRoute route, Target target) {
    Throwable failure = result.getFailure();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ExchangeException known) {
        return known;
      }
      Kind kind = kindOf(cause);
      if (kind != null) {
        return new UpstreamException(
            route.proxy().isPresent() ? ofProxy(kind, target) : kind, failure);
      }
      if (cause instanceof RejectedExecutionException) {
        return originBusy();
      }
    }
    return new UpstreamException(Kind.UPSTREAM_CLOSED, failure);
  }

  /** It is the proxy that connections are made to. */
  private static Kind ofProxy(Kind kind, Target target) {
    boolean isTlsOfProxy = kind == Kind.TLS_FAILED && target.scheme().equals("http");
    if (kind == Kind.CONNECT_TIMEOUT) {
      return Kind.PROXY_TIMEOUT;
    }
    return kind == Kind.CONNECT_FAILED || isTlsOfProxy ? Kind.PROXY_FAILED : kind;
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
