package dev.millrace.servlet;

import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.thread.Invocable;

/** Reads a body chunk by chunk, now and when there is more, until it has enough. Never blocks. */
abstract class BodyReading implements Invocable.Task {
  private final Content.Source body;

  BodyReading(Content.Source body) {
    this.body = body;
  }

  Content.Source body() {
    return body;
  }

  /**
   * Takes what comes next.
   *
   * @param chunk no failure; the taker's
   * @return whether nothing more is to be read
   */
  abstract boolean take(Content.Chunk chunk);

  /** The body has failed. */
  abstract void failed(Throwable failure);

  @Override
  public final InvocationType getInvocationType() {
    return InvocationType.NON_BLOCKING;
  }

  @Override
  public final void run() {
    boolean isEnough = false;
    while (!isEnough) {
      Content.Chunk chunk = body.read();
      if (chunk == null) {
        body.demand(this);
        return;
      }
      if (Content.Chunk.isFailure(chunk)) {
        failed(chunk.getFailure());
        return;
      }
      isEnough = take(chunk);
    }
  }
}
