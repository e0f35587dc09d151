package dev.millrace.upstream;

import dev.millrace.stream.ExchangeException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Content;

/** Reads one answer to its end, whichever that is. */
final class ReceivedAnswer implements Upstream.Listener {
  private static final long SECONDS = 10;

  private final CompletableFuture<UpstreamHead> head = new CompletableFuture<>();
  private final CompletableFuture<ExchangeException> failure = new CompletableFuture<>();
  private final CompletableFuture<Throwable> bodyFailure = new CompletableFuture<>();
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  @Override
  public void onResponse(UpstreamHead answer, Content.Source body) {
    head.complete(answer);
    read(body);
  }

  private void read(Content.Source body) {
    while (true) {
      Content.Chunk chunk = body.read();
      if (chunk == null) {
        body.demand(() -> read(body));
        return;
      }
      if (Content.Chunk.isFailure(chunk)) {
        bodyFailure.complete(chunk.getFailure());
        return;
      }
      while (chunk.hasRemaining()) {
        bytes.write(chunk.getByteBuffer().get());
      }
      chunk.release();
      if (chunk.isLast()) {
        return;
      }
    }
  }

  @Override
  public void onFailure(ExchangeException cause) {
    failure.complete(cause);
  }

  @Override
  public void onComplete() {
    end.complete(null);
  }

  UpstreamHead head() {
    return head.orTimeout(SECONDS, TimeUnit.SECONDS).join();
  }

  /** All is over, however it ended. */
  void awaitEnd() {
    end.orTimeout(SECONDS, TimeUnit.SECONDS).join();
  }

  /** Why there was no answer. */
  ExchangeException failure() {
    end.orTimeout(SECONDS, TimeUnit.SECONDS).join();
    return failure.orTimeout(SECONDS, TimeUnit.SECONDS).join();
  }

  /** Why the body did not end as it should. */
  Throwable bodyFailure() {
    return bodyFailure.orTimeout(SECONDS, TimeUnit.SECONDS).join();
  }

  /** The whole body; fails if it was cut. */
  byte[] bytes() {
    end.orTimeout(SECONDS, TimeUnit.SECONDS).join();
    if (bodyFailure.isDone()) {
      throw new AssertionError("the body failed", bodyFailure.join());
    }
    return bytes.toByteArray();
  }

  String text() {
    return new String(bytes(), StandardCharsets.ISO_8859_1);
  }
}
