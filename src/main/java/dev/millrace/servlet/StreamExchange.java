package dev.millrace.servlet;

import dev.millrace.proxy.ResponsePlan;
import dev.millrace.stream.ByteTransform;
import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.WaitTimer;
import dev.millrace.upstream.Fetch;
import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.Fetching;
import dev.millrace.upstream.Header;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.UpstreamException;
import dev.millrace.upstream.UpstreamException.Kind;
import dev.millrace.upstream.UpstreamHead;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * One request of a client whose answer streams, from the fetch to the last byte: asks what its
 * {@link Errand} says, plans the response when the origin has answered, lets {@link Relay} move the
 * body, and sees that every way out gives back what the exchange holds.
 */
final class StreamExchange
    implements Errand.Listener,
        Errand.Reply,
        Fetch.Listener,
        Relay.End,
        AsyncListener,
        Exchange.Running {
  /** No Content, Reset Content and Not Modified (RFC 9110 §15.3.5, §15.3.6, §15.4.5). */
  private static final Set<Integer> NO_BODY = Set.of(204, 205, 304);

  private static final String ABORTED = "aborted";

  /**
   * What a container may take from the exception to the broken connection: the same thread does
   * both, one after the other.
   */
  private static final Duration BREAKING = Duration.ofSeconds(2);

  private final StreamServices services;
  private final HttpServletRequest clientRequest;
  private final HttpServletResponse proxyResponse;
  private final Errand errand;
  private final Exchange exchange;
  private final String method;
  private final Optional<ByteTransform> transform;
  private final AsyncContext async;
  private final Relay relay;
  private final AtomicBoolean isOver = new AtomicBoolean();
  private volatile @Nullable Future<?> release;
  private volatile boolean isClientGone;
  private volatile boolean isRequestBroken;
  private volatile @Nullable Fetching fetch;
  private ClientWatch.@Nullable Watching watching;
  private volatile String outcome = ABORTED;

  /** The container ends an exchange by itself only because of its client. */
  private volatile String abortReason = Exchange.CLIENT_LEFT;

  private volatile @Nullable ExchangeException brokenOff;
  private volatile long announcedBytes = -1;

  private StreamExchange(
      StreamServices services,
      HttpServletRequest clientRequest,
      HttpServletResponse proxyResponse,
      Errand errand,
      Exchange exchange)
      throws IOException {
    this.services = services;
    this.clientRequest = clientRequest;
    this.proxyResponse = proxyResponse;
    this.errand = errand;
    this.exchange = exchange;
    this.method = clientRequest.getMethod();
    this.transform = errand.transform();
    this.async = clientRequest.startAsync(clientRequest, proxyResponse);
    this.relay =
        new Relay(proxyResponse.getOutputStream(), services.writes(), this::roomTimer, this);
    if (!isJetty()) {
      relay.throwFailure();
    }
  }

  /**
   * Takes over the request: from here on it is asynchronous, and every failure is answered here.
   *
   * @throws ExchangeException if it cannot even begin; nothing was sent to anybody
   */
  static void start(
      StreamServices services,
      HttpServletRequest clientRequest,
      HttpServletResponse proxyResponse,
      Errand errand,
      Exchange exchange)
      throws ExchangeException, IOException {
    services.buffers().reserve(errand.bufferBytes());
    boolean isStarted = false;
    try {
      services.sessions().open(exchange);
      StreamExchange stream =
          new StreamExchange(services, clientRequest, proxyResponse, errand, exchange);
      exchange.run(errand.destination(), stream);
      isStarted = true;
      stream.run();
    } finally {
      if (!isStarted) {
        services.sessions().close(exchange);
        services.buffers().release(errand.bufferBytes());
      }
    }
  }

  private WaitTimer roomTimer(Runnable action) {
    return new WaitTimer(
        services.timer(),
        services.nanoTime(),
        () -> errand.patience(services.config().clientIdleTimeout()),
        action);
  }

  private void run() throws IOException {
    async.setTimeout(0);
    async.addListener(this);
    proxyResponse.getOutputStream().setWriteListener(relay);
    watching = services.clientWatch().watch(clientRequest, this::clientLeft, this::over);
    errand.begin(this);
  }

  @Override
  public void requestRead() {
    ClientWatch.Watching running = watching;
    if (running != null) {
      running.begin();
    }
  }

  /**
   * Nothing can be written any more, and a container that could not read may not say so: Tomcat
   * never announces room again.
   */
  @Override
  public void requestBroken() {
    isRequestBroken = true;
    clientLeft();
    relay.breakOff(new IOException("the client has left"));
  }

  @Override
  public void ask(FetchRequest request) {
    if (isOver.get()) {
      return; // nobody waits for the answer
    }
    Fetching started = errand.fetch(request, this);
    fetch = started;
    if (isClientGone || brokenOff != null || isOver.get()) {
      started.cancel();
    }
  }

  @Override
  public void fail(Throwable failure) {
    if (!(failure instanceof RuntimeException unexpected)) {
      onFailure(known(failure));
    } else if (!isOver.get()) {
      answerInstead(unexpected);
    }
  }

  private void clientLeft() {
    if (relay.writtenBytes() == announcedBytes) {
      return; // it has everything; the origin's connection is worth keeping
    }
    isClientGone = true;
    cancel(new UpstreamException(Kind.CANCELLED));
  }

  private void cancel(ExchangeException cause) {
    errand.cancel(cause);
    Fetching running = fetch;
    if (running != null) {
      running.cancel();
    }
  }

  @Override
  public void onResponse(UpstreamHead head, Content.Source body) {
    if (isOver.get()) {
      body.fail(new IOException("the exchange is over")); // request and response are others' now
      return;
    }
    try {
      errand.answer(head, body, this);
    } catch (ExchangeException | RuntimeException e) { // thrown on, it would be lost in the client
      body.fail(e);
      answerInstead(e);
    }
  }

  @Override
  public void respond(ResponsePlan plan, Content.Source body) {
    if (isOver.get()) {
      body.fail(new IOException("the exchange is over")); // while the response was being planned
      return;
    }
    apply(plan);
    if (NO_BODY.contains(plan.status())) {
      body.fail(new IOException("an answer of this status has no body"));
      relay.begin(Content.Source.from(ByteBuffer.allocate(0)), transform.orElse(null));
    } else {
      relay.begin(body, transform.orElse(null));
    }
    if (isRequestBroken) {
      relay.breakOff(new IOException("the client has left"));
    }
  }

  private void apply(ResponsePlan plan) {
    exchange.answered(plan.status());
    proxyResponse.setStatus(plan.status());
    set(plan.headers());
    closeUnlessRequestRead();
    if (transform.isPresent()) {
      proxyResponse.setHeader("Accept-Ranges", "none");
      proxyResponse.setHeader("ETag", null);
    } else if (plan.contentLength().isPresent()) {
      announcedBytes = plan.contentLength().getAsLong();
      proxyResponse.setContentLengthLong(announcedBytes);
      if (isHead()) {
        relay.sendFieldsWithEnd();
      }
    }
    if (announcedBytes < 0 && isChunkedOnlyIfTold()) {
      proxyResponse.setHeader("Transfer-Encoding", "chunked");
    }
  }

  /** Lines of one name stay as many as they are. */
  private void set(Headers headers) {
    Set<String> begun = new HashSet<>();
    for (Header line : headers) {
      if (begun.add(line.name().toLowerCase(Locale.ROOT))) {
        proxyResponse.setHeader(line.name(), line.value());
      } else {
        proxyResponse.addHeader(line.name(), line.value());
      }
    }
  }

  /** What is left of the request will not be read: nothing can follow it (RFC 9112 §9.6). */
  private void closeUnlessRequestRead() {
    if (!errand.isRequestRead() && clientRequest.getProtocol().startsWith("HTTP/1")) {
      proxyResponse.setHeader("Connection", "close");
    }
  }

  /**
   * A client that wants its connection closed would get the body up to the end of the connection
   * from Jetty, and a cut one would look whole. Tomcat chunks it by itself.
   */
  private boolean isChunkedOnlyIfTold() {
    return clientRequest.getProtocol().equals("HTTP/1.1")
        && !isHead()
        && !NO_BODY.contains(proxyResponse.getStatus())
        && isJetty();
  }

  private boolean isJetty() {
    return clientRequest.getServletContext().getServerInfo().startsWith("jetty");
  }

  @Override
  public void onFailure(ExchangeException failure) {
    if (isOver.get()) {
      return;
    }
    ExchangeException cause = brokenOff;
    answerInstead(cause == null ? failure : cause);
  }

  private void answerInstead(Exception failure) {
    transform.ifPresent(ByteTransform::close);
    if (isRequestBroken) {
      abort();
      return;
    }
    relay.begin(Content.Source.from(answer(failure)), null);
  }

  private ByteBuffer answer(Throwable failure) {
    outcome = isClientGone ? Exchange.CLIENT_LEFT : ErrorMapper.reason(failure);
    ErrorAnswer error = ErrorMapper.answer(failure, exchange.id());
    exchange.answered(error.status());
    ByteBuffer body = error.applyTo(proxyResponse);
    closeUnlessRequestRead();
    return isHead() ? ByteBuffer.allocate(0) : body;
  }

  @Override
  public void completed() {
    outcome = outcome.equals(ABORTED) ? Exchange.COMPLETE : outcome;
    endWatch();
    if (!errand.isRequestRead()) {
      cancel(new UpstreamException(Kind.CANCELLED)); // answered early; nobody takes the rest
    }
    errand.close();
    async.complete();
  }

  @Override
  public void failed(Throwable failure) {
    boolean isOurs = failure instanceof ExchangeException || failure instanceof RuntimeException;
    if (isOurs && !isClientGone && !proxyResponse.isCommitted()) {
      proxyResponse.reset();
      CrossOrigin.expose(proxyResponse);
      ExchangeFilter.identify(proxyResponse, exchange);
      relay.replace(Content.Source.from(answer(failure)));
      return;
    }
    abortReason = isClientGone ? Exchange.CLIENT_LEFT : abortReason(failure);
    abort();
  }

  private void abort() {
    endWatch();
    breakConnection();
    if (isRequestBroken) {
      overLater(); // the connection may be gone already, and the container with it
      AbortServlet.refuse(clientRequest, async, this::broken);
      return;
    }
    AbortServlet.abort(clientRequest, async, this::broken);
  }

  private void breakConnection() {
    ClientWatch.Watching running = watching;
    if (running == null) {
      return;
    }
    boolean isOld = clientRequest.getProtocol().equals("HTTP/1.0");
    if (isOld && announcedBytes < 0) {
      running.reset();
    } else if (relay.isWriting()) {
      running.close();
    }
  }

  /**
   * The connection is about to be broken. Not every container tells when it is, so {@link #over}
   * comes by itself.
   */
  private void broken() {
    if (relay.isWriting()) {
      overLater();
    } else {
      over();
    }
  }

  private void overLater() {
    try {
      release = services.timer().schedule(this::over, BREAKING.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException stopping) {
      over();
    }
    if (isOver.get()) {
      cancelRelease();
    }
  }

  private void cancelRelease() {
    Future<?> scheduled = release;
    if (scheduled != null) {
      scheduled.cancel(false);
    }
  }

  private static String abortReason(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ExchangeException known) {
        return known.reason();
      }
    }
    if (failure instanceof RuntimeException) {
      return ErrorMapper.reason(failure);
    }
    return failure instanceof Relay.ClientStalledException
        ? "client_stalled"
        : Exchange.CLIENT_LEFT; // what else fails is the write
  }

  @Override
  public void began() {
    exchange.firstByteAt(services.nanoTime().getAsLong());
  }

  @Override
  public long writtenBytes() {
    return relay.writtenBytes();
  }

  @Override
  public long waitedForClientNanos() {
    return relay.waitedForClientNanos();
  }

  @Override
  public void breakOff(ExchangeException cause) {
    brokenOff = cause;
    relay.breakOff(cause);
    cancel(cause);
  }

  private boolean isHead() {
    return method.equals("HEAD");
  }

  private static ExchangeException known(Throwable failure) {
    return failure instanceof ExchangeException exchange
        ? exchange
        : new UpstreamException(Kind.UPSTREAM_CLOSED, failure);
  }

  private void endWatch() {
    ClientWatch.Watching running = watching;
    if (running != null) {
      running.end();
    }
  }

  @Override
  public void onComplete(AsyncEvent event) {
    over();
  }

  /** The container has let go: nothing of this exchange is in use there any more. */
  private void over() {
    if (!isOver.compareAndSet(false, true)) {
      return;
    }
    endWatch();
    cancelRelease();
    Fetching running = fetch;
    if (outcome.equals(ABORTED) && running != null) {
      running.cancel(); // whoever ended it, the origin's side goes too
    }
    errand.close();
    relay.close();
    services.buffers().release(errand.bufferBytes());
    exchange.endedAs(outcome.equals(ABORTED) ? abortReason : outcome);
    services.sessions().close(exchange);
    services.log().over(exchange);
  }

  /** The time-out is off; Tomcat calls it all the same when the application is taken out. */
  @Override
  public void onTimeout(AsyncEvent event) {
    onError(event);
  }

  /** The client has failed, or the abort is under way; some containers end the exchange now. */
  @Override
  public void onError(AsyncEvent event) {
    relay.awaitEndOfTurn();
    clientLeft();
  }

  @Override
  public void onStartAsync(AsyncEvent event) {}
}
