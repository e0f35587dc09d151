package dev.millrace.testing;

import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.Upstream;
import dev.millrace.upstream.UpstreamException;
import dev.millrace.upstream.UpstreamException.Kind;
import dev.millrace.upstream.UpstreamHead;
import dev.millrace.upstream.UpstreamRequest;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Sends nothing: the test answers, request by request. */
public final class FakeUpstream implements Upstream {
  private final List<Sent> sent = new CopyOnWriteArrayList<>();

  @Override
  public Exchange send(UpstreamRequest request, Listener listener) {
    Sent exchange = new Sent(request, listener);
    sent.add(exchange);
    return exchange;
  }

  public List<Sent> sent() {
    return List.copyOf(sent);
  }

  /** The newest request. */
  public Sent last() {
    return sent.get(sent.size() - 1);
  }

  /** One request, and what becomes of it. Aborted, it ends as a real one does. */
  public static final class Sent implements Exchange {
    private final UpstreamRequest request;
    private final Listener listener;
    private @Nullable ScriptedSource body;
    private @Nullable Throwable abortCause;
    private boolean isOver;

    private Sent(UpstreamRequest request, Listener listener) {
      this.request = request;
      this.listener = listener;
    }

    public UpstreamRequest request() {
      return request;
    }

    /** The value of a field that was sent; null without it. */
    public @Nullable String field(String name) {
      return request.headers().first(name).orElse(null);
    }

    /** What it was aborted with; null if it was not. */
    public @Nullable Throwable abortCause() {
      return abortCause;
    }

    /** Delivers the head; the exchange is over when {@link #complete} is called. */
    public ScriptedSource respond(int status, String... namesAndValues) {
      ScriptedSource answer = new ScriptedSource();
      body = answer;
      listener.onResponse(
          new UpstreamHead(status, Headers.of(namesAndValues), request.target()), answer);
      return answer;
    }

    /** An answer without a body, and the end of the exchange. */
    public void answer(int status, String... namesAndValues) {
      respond(status, namesAndValues).end();
      complete();
    }

    /** There is no answer. */
    public void fail(ExchangeException cause) {
      isOver = true;
      listener.onFailure(cause);
      listener.onComplete();
    }

    public void complete() {
      if (!isOver) {
        isOver = true;
        listener.onComplete();
      }
    }

    @Override
    public void abort(Throwable cause) {
      abortCause = cause;
      if (isOver) {
        return;
      }
      if (body == null) {
        fail(
            cause instanceof ExchangeException known
                ? known
                : new UpstreamException(Kind.CANCELLED, cause));
      } else {
        body.fail(new IOException(cause));
        complete();
      }
    }
  }
}
