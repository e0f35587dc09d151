package dev.millrace.cache;

import dev.millrace.stream.ExchangeException;
import dev.millrace.testing.ScriptedSource;
import dev.millrace.upstream.BadTargetException;
import dev.millrace.upstream.Fetch;
import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.Fetching;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.Target;
import dev.millrace.upstream.UpstreamException;
import dev.millrace.upstream.UpstreamException.Kind;
import dev.millrace.upstream.UpstreamHead;
import dev.millrace.upstream.UpstreamRequest;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Answers what the test says, fetch by fetch; cancelled, it ends as a real one does. */
final class ScriptedOrigin implements Fetching.Source {
  private final List<Asked> asked = new CopyOnWriteArrayList<>();

  static FetchRequest media(String path, String... fields) {
    return FetchRequest.of(new UpstreamRequest("GET", target(path), Headers.of(fields)));
  }

  static FetchRequest document(String path, String... fields) {
    return FetchRequest.of(UpstreamRequest.document(target(path), Headers.of(fields)));
  }

  static Target target(String path) {
    try {
      return Target.parse("http://origin.example" + path);
    } catch (BadTargetException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public Fetching fetch(FetchRequest request, Fetch.Listener listener) {
    Asked fetch = new Asked(request, listener);
    asked.add(fetch);
    return fetch;
  }

  int count() {
    return asked.size();
  }

  Asked last() {
    return asked.get(asked.size() - 1);
  }

  Asked number(int index) {
    return asked.get(index);
  }

  /** One fetch. */
  static final class Asked implements Fetching {
    private final FetchRequest request;
    private final Fetch.Listener listener;
    private @Nullable ScriptedSource body;
    private boolean isCancelled;

    private Asked(FetchRequest request, Fetch.Listener listener) {
      this.request = request;
      this.listener = listener;
    }

    String path() {
      return request.first().target().requestTarget();
    }

    boolean isCancelled() {
      return isCancelled;
    }

    @Nullable ScriptedSource body() {
      return body;
    }

    /** Gives the head; what follows is the test's to add. */
    ScriptedSource respond(int status, String... fields) {
      ScriptedSource answer = new ScriptedSource();
      body = answer;
      listener.onResponse(
          new UpstreamHead(status, Headers.of(fields), request.first().target()), answer);
      return answer;
    }

    /** A whole answer with its length. */
    void answer(byte[] bytes, String... fields) {
      String[] all = java.util.Arrays.copyOf(fields, fields.length + 2);
      all[fields.length] = "Content-Length";
      all[fields.length + 1] = Integer.toString(bytes.length);
      respond(200, all).add(bytes, true);
    }

    void fail(ExchangeException why) {
      listener.onFailure(why);
    }

    @Override
    public void cancel() {
      if (isCancelled) {
        return;
      }
      isCancelled = true;
      if (body == null) {
        listener.onFailure(new UpstreamException(Kind.CANCELLED));
      } else {
        body.fail(new UpstreamException(Kind.CANCELLED));
      }
    }
  }
}
