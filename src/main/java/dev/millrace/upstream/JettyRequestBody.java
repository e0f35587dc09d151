package dev.millrace.upstream;

import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/** The content of a request as Jetty's client takes it: it says nothing of its media type. */
final class JettyRequestBody implements Request.Content {
  private final Content.Source body;

  JettyRequestBody(Content.Source body) {
    this.body = body;
  }

  /** The type is a field like any other. */
  @Override
  public @Nullable String getContentType() {
    return null;
  }

  @Override
  public long getLength() {
    return body.getLength();
  }

  @Override
  public Content.@Nullable Chunk read() {
    return body.read();
  }

  @Override
  public void demand(Runnable demandCallback) {
    body.demand(demandCallback);
  }

  @Override
  public void fail(Throwable failure) {
    body.fail(failure);
  }

  @Override
  public void fail(Throwable failure, boolean last) {
    body.fail(failure, last);
  }
}
