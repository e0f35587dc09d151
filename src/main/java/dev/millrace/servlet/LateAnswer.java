package dev.millrace.servlet;

import dev.millrace.stream.ExchangeException;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request that is not made in the container's call: said once, by any thread, and
 * written without blocking any. The first to say something wins, later ones are ignored. A client
 * that does not take it in time has its connection broken.
 */
final class LateAnswer implements AsyncListener, WriteListener {
  private static final int PART_BYTES = 32 << 10;

  private final RouteRequest request;
  private final AnswerServices services;
  private final AsyncContext async;
  private final AtomicBoolean isSaid = new AtomicBoolean();
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final AtomicLong reservedBytes = new AtomicLong();
  private volatile ByteBuffer rest = ByteBuffer.allocate(0);
  private volatile @Nullable Future<?> deadline;

  private LateAnswer(RouteRequest request, AnswerServices services) {
    this.request = request;
    this.services = services;
    this.async =
        request.clientRequest().startAsync(request.clientRequest(), request.proxyResponse());
  }

  /** Makes the request asynchronous; from here on this is the only way to answer it. */
  static LateAnswer begin(RouteRequest request, AnswerServices services) {
    LateAnswer answer = new LateAnswer(request, services);
    answer.async.setTimeout(0);
    answer.async.addListener(answer);
    return answer;
  }

  /** Whether nothing that is said now matters any more. */
  boolean isSaid() {
    return isSaid.get();
  }

  /**
   * Takes memory that is given back when all is over.
   *
   * @throws ExchangeException if there is none
   */
  void reserve(long sizeBytes) throws ExchangeException {
    services.texts().reserve(sizeBytes);
    reservedBytes.addAndGet(sizeBytes);
    if (isOver.get()) {
      giveBack();
    }
  }

  private void giveBack() {
    services.texts().release(reservedBytes.getAndSet(0));
  }

  /** The answer. */
  void send(Page page) {
    try {
      reserve(page.text().length());
    } catch (ExchangeException e) {
      fail(e);
      return;
    }
    if (isSaid.compareAndSet(false, true)) {
      ByteBuffer body = page.applyTo(request.proxyResponse());
      request.exchange().answered(page.status(), body.remaining());
      write(body);
    }
  }

  /** What went wrong instead. */
  void fail(Throwable failure) {
    if (isSaid.compareAndSet(false, true)) {
      tell(failure);
    }
  }

  /** The same, and the connection ends with it: what the client still sends is not read. */
  void refuse(ExchangeException failure) {
    if (isSaid.compareAndSet(false, true)) {
      if (request.clientRequest().getProtocol().startsWith("HTTP/1")) {
        request.proxyResponse().setHeader("Connection", "close");
      }
      tell(failure);
    }
  }

  private void tell(Throwable failure) {
    ErrorAnswer error = ErrorMapper.answer(failure, request.exchange().id());
    ByteBuffer body = error.applyTo(request.proxyResponse());
    request.exchange().endedAs(ErrorMapper.reason(failure));
    request.exchange().answered(error.status(), body.remaining());
    write(body);
  }

  private void write(ByteBuffer body) {
    if (request.isHead()) {
      request.exchange().answered(request.exchange().status(), 0);
    } else {
      rest = body;
    }
    try {
      deadline =
          services
              .timer()
              .schedule(this::breakOff, services.atMost().toMillis(), TimeUnit.MILLISECONDS);
      request.proxyResponse().getOutputStream().setWriteListener(this);
    } catch (IOException | IllegalStateException | RejectedExecutionException gone) {
      complete();
    }
  }

  @Override
  public void onWritePossible() throws IOException {
    ServletOutputStream out = request.proxyResponse().getOutputStream();
    while (out.isReady()) {
      int length = Math.min(PART_BYTES, rest.remaining());
      if (length == 0) {
        complete();
        return;
      }
      ByteBuffer part = rest.slice(rest.position(), length);
      rest.position(rest.position() + length);
      out.write(part);
    }
  }

  private void complete() {
    try {
      async.complete();
    } catch (IllegalStateException alreadyOver) {
      over();
    }
  }

  private void breakOff() {
    if (!isOver.get()) {
      request.exchange().endedAs("client_stalled");
      AbortServlet.abort(request.clientRequest(), async, this::over);
    }
  }

  /** The write has failed. */
  @Override
  public void onError(Throwable failure) {
    request.exchange().endedAs(Exchange.CLIENT_LEFT);
    complete();
  }

  @Override
  public void onComplete(AsyncEvent event) {
    over();
  }

  private void over() {
    isSaid.set(true);
    if (!isOver.compareAndSet(false, true)) {
      return;
    }
    Future<?> scheduled = deadline;
    if (scheduled != null) {
      scheduled.cancel(false);
    }
    giveBack();
    services.log().over(request.exchange());
  }

  /** The time-out is off; Tomcat calls it all the same when the application is taken out. */
  @Override
  public void onTimeout(AsyncEvent event) {
    onError(event);
  }

  /** The container has lost the client. */
  @Override
  public void onError(AsyncEvent event) {
    isSaid.set(true);
    if (request.exchange().outcome().equals(Exchange.COMPLETE)) {
      request.exchange().endedAs(Exchange.CLIENT_LEFT);
    }
    complete();
  }

  @Override
  public void onStartAsync(AsyncEvent event) {}
}
