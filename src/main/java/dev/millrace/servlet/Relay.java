package dev.millrace.servlet;

import dev.millrace.stream.ByteTransform;
import dev.millrace.stream.WaitTimer;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/**
 * Moves one body to one client: read, transform, write, one chunk in flight.
 *
 * <h2>Who runs</h2>
 *
 * Once begun, the relay waits for one thing at a time, room to write or data. Whoever announces it
 * (container or origin, on their threads) takes the turn by moving {@link #turn} to {@code RUN} and
 * goes on until the next wait. A failure of the client takes the turn of whoever waits. While
 * somebody runs, it waits itself: when it has been told, a container may end the exchange and use
 * request and response for somebody else, so nobody may be using them any more.
 *
 * <h2>Memory</h2>
 *
 * A chunk of the origin is held from its read until its write is done. What a transform makes of a
 * slice of it is written before the next slice.
 */
final class Relay implements WriteListener, Invocable.Task {
  /** Input of a transform at a time, so that output which grows stays small. */
  private static final int SLICE_BYTES = 16 << 10;

  /** For the end of a turn; none of them blocks, so this is for a machine that is out of breath. */
  private static final long MAX_WAIT_NANOS = 10_000_000_000L;

  private static final long POLL_NANOS = 100_000;

  /** How a relay ends: exactly one call, once. */
  interface End {
    /** The first byte is about to be written. Not an end yet; at most once per body. */
    default void began() {}

    /** Everything is written. */
    void completed();

    /** The body cannot be completed. What is in flight stays until {@link Relay#close}. */
    void failed(Throwable failure);
  }

  private enum Turn {
    /** Not begun. */
    IDLE,
    /** Waiting for room to write. */
    ROOM,
    /** Waiting for data. */
    DATA,
    /** Somebody runs. */
    RUN,
    /** Completed or failed; what is in flight is still held. */
    ENDED,
    /** Nothing is held any more. */
    CLOSED
  }

  private final ServletOutputStream out;
  private final Writes writes;
  private final End end;
  private final WaitTimer room;
  private final AtomicInteger ready = new AtomicInteger();
  private final AtomicReference<Turn> turn = new AtomicReference<>(Turn.IDLE);
  private final Queue<ByteBuffer> transformed = new ArrayDeque<>();
  private Content.@Nullable Source source;
  private @Nullable ByteTransform transform;
  private Content.@Nullable Chunk chunk;
  private boolean isLastRead;
  private boolean isTransformFinished;
  private boolean isFlushed;
  private boolean isContainerHeard;
  private boolean isFailureThrown;
  private volatile @Nullable Throwable clientFailure;
  private volatile boolean isClosing;
  private volatile boolean isWriting;
  private volatile boolean isEndTold;
  private volatile boolean hasFailed;
  private final AtomicLong writtenBytes = new AtomicLong();

  /**
   * @param roomTimer makes the timer that limits one wait for the client, from what to do then
   */
  Relay(ServletOutputStream out, Writes writes, Function<Runnable, WaitTimer> roomTimer, End end) {
    this.out = out;
    this.writes = writes;
    this.end = end;
    this.room = roomTimer.apply(this::clientStalled);
  }

  /** Bytes given to the container so far. Any thread. */
  long writtenBytes() {
    return writtenBytes.get();
  }

  /** How long the client has taken nothing by now, in nanoseconds; 0 if it is not waited for. */
  long waitedForClientNanos() {
    return room.waitedNanos();
  }

  /**
   * Whether it has failed in the middle of a write: the container may read from the chunk in flight
   * until it has given the connection up.
   */
  boolean isWriting() {
    return isWriting;
  }

  /**
   * Begins as soon as the container is ready too. Called once, when the response's status and
   * fields are set.
   *
   * @param body what is to be written; read and failed by this relay from now on
   * @param change closed by this relay
   */
  void begin(Content.Source body, @Nullable ByteTransform change) {
    source = body;
    transform = change;
    room.open();
    beginWhenBothAreReady();
    if (turn.get() == Turn.CLOSED) {
      body.fail(new IOException("the exchange is over")); // the answer came too late
      release();
    }
  }

  /**
   * Lets the fields of a response without a body go out together with its end: HTTP/2 clients then
   * get one frame, not an empty DATA frame that some hold against the announced length. Called
   * before {@link #begin}.
   */
  void sendFieldsWithEnd() {
    isFlushed = true;
  }

  /**
   * Has {@link #onWritePossible} fail once the body has failed: for Tomcat, which forgets a
   * dispatch that comes in the middle of that call and would end cleanly. Jetty would close the
   * output, which is such an end. Called before {@link #begin}.
   */
  void throwFailure() {
    isFailureThrown = true;
  }

  private void beginWhenBothAreReady() {
    if (ready.incrementAndGet() == 2 && turn.compareAndSet(Turn.IDLE, Turn.RUN)) {
      pump();
    }
  }

  /**
   * Writes another body instead, for a response that has not begun. Called from {@link End#failed}
   * only.
   */
  void replace(Content.Source body) {
    if (turn.compareAndSet(Turn.ENDED, Turn.RUN)) {
      release();
      transformed.clear();
      isLastRead = false;
      hasFailed = false;
      source = body;
      pump();
    }
  }

  /**
   * Releases what is still in flight, or has whoever runs at the moment do so when its turn ends.
   * Called when the container has let go of the exchange.
   */
  void close() {
    isClosing = true;
    for (Turn waiting : List.of(Turn.IDLE, Turn.ROOM, Turn.DATA, Turn.ENDED)) {
      if (closeFrom(waiting)) {
        return;
      }
    }
  }

  /**
   * Ends the turn of whoever runs; false if the exchange is over and there is nothing to wait for.
   */
  private boolean leaveTo(Turn next) {
    turn.set(next);
    return !(isClosing && closeFrom(next));
  }

  private boolean closeFrom(Turn current) {
    if (!turn.compareAndSet(current, Turn.CLOSED)) {
      return false;
    }
    if (current != Turn.ENDED || isWriting) {
      failSource(new IOException("the exchange is over"));
    }
    release();
    return true;
  }

  private synchronized void release() {
    room.close();
    if (chunk != null) {
      chunk.release();
      chunk = null;
    }
    if (transform != null) {
      transform.close();
      transform = null;
    }
  }

  @Override
  public void onWritePossible() throws IOException {
    if (!isContainerHeard) {
      isContainerHeard = true;
      beginWhenBothAreReady();
    } else if (turn.compareAndSet(Turn.ROOM, Turn.RUN)) {
      pump();
    } else {
      awaitEndOfTurn(); // it fails at this moment, or has
      if (isFailureThrown && hasFailed && turn.get() == Turn.ENDED) {
        throw new IOException("the body cannot be completed");
      }
    }
  }

  /** Data is available, or the source has failed. */
  @Override
  public void run() {
    if (turn.compareAndSet(Turn.DATA, Turn.RUN)) {
      pump();
    }
  }

  @Override
  public InvocationType getInvocationType() {
    return InvocationType.NON_BLOCKING;
  }

  @Override
  public void onError(Throwable failure) {
    clientFailure = failure;
    awaitEndOfTurn();
    Content.Source body = source;
    if (!isContainerHeard) {
      isContainerHeard = true; // it will not say that there is room
      beginWhenBothAreReady();
    } else if (turn.compareAndSet(Turn.ROOM, Turn.RUN) || turn.compareAndSet(Turn.DATA, Turn.RUN)) {
      fail(failure);
    } else if (body != null) {
      body.fail(failure);
    }
  }

  /**
   * Returns when nobody uses the response: there is nothing to do, or it is waited for. A failing
   * write takes the write listener away in Tomcat, so its failure may come as the exchange's only.
   */
  void awaitEndOfTurn() {
    long start = System.nanoTime();
    while (isRunning() && System.nanoTime() - start < MAX_WAIT_NANOS) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private boolean isRunning() {
    Turn now = turn.get();
    return now == Turn.RUN || (now == Turn.ENDED && !isEndTold);
  }

  private void clientStalled() {
    if (turn.compareAndSet(Turn.ROOM, Turn.RUN)) {
      isWriting = true;
      fail(new ClientStalledException());
    }
  }

  /** The client has taken nothing for too long. */
  static final class ClientStalledException extends IOException {
    private static final long serialVersionUID = 1L;

    ClientStalledException() {
      super("the client took nothing for too long");
    }
  }

  /**
   * Breaks the body off, whatever is being waited for. Any thread; a body that has not begun is not
   * touched.
   */
  void breakOff(Throwable failure) {
    if (turn.get() == Turn.IDLE) {
      return;
    }
    clientFailure = failure; // whoever runs sees it before the next wait
    Content.Source body = source;
    if (turn.compareAndSet(Turn.ROOM, Turn.RUN)) {
      isWriting = true;
      fail(failure);
    } else if (body != null) {
      body.fail(failure);
    }
  }

  private void pump() {
    try {
      while (hasRoom() && step()) {
        // one step is one write or one read
      }
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
  }

  private boolean hasRoom() throws IOException {
    room.start();
    if (!leaveTo(Turn.ROOM)) {
      return false;
    }
    if (clientFailure != null && turn.compareAndSet(Turn.ROOM, Turn.RUN)) {
      throw new IOException(clientFailure);
    }
    // if there is none, the container calls back; perhaps it has already
    if (!out.isReady() || !turn.compareAndSet(Turn.ROOM, Turn.RUN)) {
      return false;
    }
    room.stop();
    return true;
  }

  /** Whether to go on. */
  private boolean step() throws IOException {
    ByteBuffer made = transformed.poll();
    if (made != null) {
      write(made);
      return true;
    }
    Content.Chunk current = chunk;
    if (current == null) {
      return isLastRead ? finish() : read();
    }
    if (current.hasRemaining()) {
      forward(current.getByteBuffer());
    } else {
      isLastRead = current.isLast();
      current.release();
      chunk = null;
    }
    return true;
  }

  private boolean read() throws IOException {
    Content.Source body = source;
    if (body == null) {
      throw new IllegalStateException("not begun");
    }
    Content.Chunk next = body.read();
    if (next == null) {
      return awaitData(body);
    }
    if (Content.Chunk.isFailure(next)) {
      fail(next.getFailure());
      return false;
    }
    chunk = next;
    return true;
  }

  private boolean awaitData(Content.Source body) throws IOException {
    if (!isFlushed) {
      isFlushed = true; // headers, and what there is of the body, do not wait for more
      out.flush();
      return true;
    }
    if (!leaveTo(Turn.DATA)) {
      return false;
    }
    if (clientFailure != null && turn.compareAndSet(Turn.DATA, Turn.RUN)) {
      throw new IOException(clientFailure);
    }
    body.demand(this);
    return false;
  }

  private void forward(ByteBuffer input) throws IOException {
    ByteTransform change = transform;
    if (change == null) {
      write(input);
      return;
    }
    int size = Math.min(SLICE_BYTES, input.remaining());
    ByteBuffer slice = input.slice(input.position(), size);
    input.position(input.position() + size);
    try {
      change.accept(slice, this::keep);
    } catch (IOException | RuntimeException e) {
      throw FilterException.of(e);
    }
  }

  private void keep(ByteBuffer output) {
    if (output.hasRemaining()) {
      transformed.add(output);
    }
  }

  private void write(ByteBuffer bytes) throws IOException {
    long before = writtenBytes.get();
    if (before == 0) {
      end.began();
    }
    writtenBytes.lazySet(before + bytes.remaining()); // one writer at a time
    out.write(bytes);
    isFlushed &= writes == Writes.PASSED_ON;
  }

  private boolean finish() throws IOException {
    ByteTransform change = transform;
    if (change != null && !isTransformFinished) {
      isTransformFinished = true;
      try {
        change.finish(this::keep);
      } catch (IOException | RuntimeException e) {
        throw FilterException.of(e);
      }
      return true;
    }
    if (writtenBytes.get() == 0 && !isFlushed) {
      isFlushed = true; // or the container would announce a length of 0 for a HEAD
      out.flush();
      return true;
    }
    room.close();
    if (leaveTo(Turn.ENDED)) {
      end.completed();
      isEndTold = true;
    }
    return false;
  }

  private void fail(Throwable failure) {
    hasFailed = true;
    room.close();
    if (!isWriting) { // else it is given up when the abort is over, so that the two do not meet
      failSource(failure);
    }
    if (leaveTo(Turn.ENDED)) {
      end.failed(failure);
      isEndTold = true;
    }
  }

  private void failSource(Throwable failure) {
    Content.Source body = source;
    if (body != null) {
      body.fail(failure);
    }
  }
}
