package dev.millrace.cache;

import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.Fetch;
import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.Fetching;
import dev.millrace.upstream.UpstreamException;
import dev.millrace.upstream.UpstreamException.Kind;
import dev.millrace.upstream.UpstreamHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * One answer of an origin for any number of readers, each of whom gets it from its first byte on,
 * as it arrives.
 *
 * <h2>Memory</h2>
 *
 * The body is copied into {@link DownloadBlocks}. If its length is known, room for all of it is
 * taken before anybody is told of the answer; if there is none, the body is <em>handed on</em> as
 * it comes to the first reader, and the others ask for themselves. If it is not known, it takes
 * block by block; where that ends it becomes a <em>window</em>: what all readers are done with goes
 * back, nobody joins any more, and the slowest reader holds the origin up. Who takes nothing for
 * {@link CacheLimits#PATIENCE} while others wait for more is failed.
 *
 * <h2>Concurrency</h2>
 *
 * One lock per download guards its state, its blocks and its readers; it is held for a few
 * assignments, never while anything is copied or anybody is called, and never together with the
 * lock of the cache. Only one thread at a time <em>pumps</em>: reads from the origin, copies,
 * publishes what was copied, and then wakes the readers whose demand can be answered. It is
 * whichever thread the origin's body calls back, or, after a window was full, the one whose reading
 * made room. A block is retained by the pump while it copies and by every chunk that is out, so
 * giving blocks back needs to wait for nobody.
 */
final class Download implements Fetch.Listener {
  /** Told by whoever ends the last use; called without the download's lock. */
  interface Owner {
    /** So many blocks, or nothing. */
    Optional<List<Block>> take(int count);

    /** The answer is here. */
    void begun(UpstreamHead head);

    /** Nobody may join any more, but those who read go on. */
    void closed();

    /**
     * The download is over. Once.
     *
     * @param isWhole whether all of the body is here
     */
    void ended(boolean isWhole);

    /** A reader has left. Once for each. */
    void left();

    /** Asks again for one who had no answer yet and has left. */
    void retry(Ticket ticket);

    /** Asks the origin for one alone who has left. */
    void askAlone(Ticket ticket);
  }

  private enum State {
    ASKED,
    FLOWING,
    WHOLE,
    FAILED,
    HANDED_ON
  }

  private final FetchRequest request;
  private final Fetching.Source source;
  private final Owner owner;
  private final CacheLimits limits;
  private final Object lock = new Object();
  private final List<SharedReader> readers = new ArrayList<>();
  private final DownloadBlocks blocks = new DownloadBlocks();
  private final DownloadPump pump;
  private State state = State.ASKED;
  private @Nullable UpstreamHead head;
  private @Nullable ExchangeException failure;
  private @Nullable Fetching origin;
  private boolean isCancelled;
  private volatile long length = -1;

  Download(FetchRequest request, Fetching.Source source, Owner owner, CacheLimits limits) {
    this.request = request;
    this.source = source;
    this.owner = owner;
    this.limits = limits;
    this.pump = new DownloadPump(this, owner, limits, blocks, readers);
  }

  Object lock() {
    return lock;
  }

  long nanoTime() {
    return limits.nanoTime().getAsLong();
  }

  /** Of the body; -1 if it is not known. */
  long length() {
    return length;
  }

  int heldBlocks() {
    synchronized (lock) {
      return blocks.held();
    }
  }

  /** Bytes that have not arrived yet; {@link Long#MAX_VALUE} if that is not known. */
  long missingBytes() {
    synchronized (lock) {
      if (state == State.WHOLE) {
        return 0;
      }
      return length < 0 || state != State.FLOWING ? Long.MAX_VALUE : length - blocks.received();
    }
  }

  /** Asks the origin. Called once. */
  void start() {
    Fetching started = source.fetch(request, this);
    boolean isTooLate;
    synchronized (lock) {
      origin = started;
      isTooLate = isCancelled;
    }
    if (isTooLate) {
      started.cancel();
    }
  }

  /**
   * A reader more, told of the answer when there is one; the owner counts it already. Nothing is
   * done for one who has left meanwhile.
   */
  void attach(SharedReader reader) {
    State now;
    UpstreamHead answer;
    synchronized (lock) {
      if (reader.end() != null) {
        return;
      }
      now = blocks.first() > 0 ? State.HANDED_ON : state;
      answer = head;
      if (now == State.ASKED || (now != State.HANDED_ON && answer != null)) {
        reader.active(nanoTime());
        readers.add(reader);
        answer = answer != null && reader.answer() ? answer : null;
      }
    }
    if (now == State.HANDED_ON) {
      owner.left();
      owner.askAlone(reader.ticket());
    } else if (answer != null) {
      reader.ticket().listener().onResponse(answer, reader);
    } else if (now == State.FAILED) {
      refuse(reader, failed());
    }
  }

  private ExchangeException failed() {
    synchronized (lock) {
      return failure == null ? new UpstreamException(Kind.CANCELLED) : failure;
    }
  }

  private void refuse(SharedReader reader, ExchangeException why) {
    owner.left();
    boolean isWorthAnother =
        why instanceof UpstreamException known && known.kind() != Kind.CANCELLED;
    if (reader.mayRetry() && isWorthAnother) {
      owner.retry(reader.ticket());
    } else {
      reader.ticket().listener().onFailure(why);
    }
  }

  @Override
  public void onFailure(ExchangeException why) {
    List<SharedReader> waiting;
    synchronized (lock) {
      if (state != State.ASKED) {
        return;
      }
      state = State.FAILED;
      failure = why;
      waiting = allLeave(Content.Chunk.from(why));
    }
    owner.ended(false);
    waiting.forEach(reader -> refuse(reader, why));
  }

  /** The readers, who are none any more. */
  private List<SharedReader> allLeave(Content.Chunk end) {
    List<SharedReader> all = List.copyOf(readers);
    readers.clear();
    for (SharedReader reader : all) {
      reader.endWith(end);
      boolean unused = reader.answer();
    }
    return all;
  }

  @Override
  public void onResponse(UpstreamHead answer, Content.Source content) {
    owner.begun(answer);
    long bytes = lengthOf(answer, content);
    Optional<List<Block>> room =
        bytes > limits.maxBodyBytes()
            ? Optional.empty()
            : owner.take(bytes < 0 ? 1 : (int) Block.count(bytes));
    if (room.isEmpty()) {
      handOn(answer, content);
    } else {
      flow(answer, content, bytes, room.get());
    }
  }

  /** As the body says it, else as the field does; -1 if it is not known. */
  private static long lengthOf(UpstreamHead answer, Content.Source content) {
    return content.getLength() >= 0 ? content.getLength() : answer.contentLength().orElse(-1);
  }

  private void handOn(UpstreamHead answer, Content.Source content) {
    List<SharedReader> all;
    synchronized (lock) {
      state = State.HANDED_ON;
      all = allLeave(Content.Chunk.EOF);
    }
    owner.ended(false);
    if (all.isEmpty()) {
      content.fail(new UpstreamException(Kind.CANCELLED));
      return;
    }
    SharedReader first = all.get(0);
    first.ticket().follow(this::cancelOrigin);
    all.forEach(reader -> owner.left());
    first.ticket().listener().onResponse(answer, content);
    all.subList(1, all.size()).forEach(reader -> owner.askAlone(reader.ticket()));
  }

  private void flow(UpstreamHead answer, Content.Source content, long bytes, List<Block> room) {
    List<SharedReader> waiting = new ArrayList<>();
    boolean isTooLate;
    synchronized (lock) {
      isTooLate = state != State.ASKED;
      if (!isTooLate) {
        state = State.FLOWING;
        head = answer;
        pump.open(content);
        length = bytes;
        blocks.add(room);
        readers.stream().filter(SharedReader::answer).forEach(waiting::add);
      }
    }
    if (isTooLate) {
      room.forEach(Block::release);
      content.fail(new UpstreamException(Kind.CANCELLED));
      return;
    }
    boolean goesOn = pump.pumpFirst();
    waiting.forEach(reader -> reader.ticket().listener().onResponse(answer, reader));
    if (goesOn) {
      pump.pump();
    }
  }

  /**
   * The body has ended, or failed. Called by the pump, without the lock.
   *
   * @param why it failed
   */
  void end(Optional<ExchangeException> why) {
    boolean isWhole;
    synchronized (lock) {
      if (state != State.FLOWING) {
        return;
      }
      state = why.isEmpty() ? State.WHOLE : State.FAILED;
      failure = why.orElse(null);
      boolean unused = pump.close();
      blocks.dropUnfilled();
      boolean isAll = length < 0 || length == blocks.received();
      isWhole = why.isEmpty() && isAll && !pump.isWindow();
    }
    owner.ended(isWhole);
    wake();
  }

  /** Has everybody read who can. */
  void wake() {
    List<SharedReader> due = new ArrayList<>();
    synchronized (lock) {
      for (SharedReader reader : readers) {
        if (isReadable(reader) && reader.startDispatch()) {
          due.add(reader);
        }
      }
    }
    due.forEach(SharedReader::dispatch);
  }

  /** Whether a read would give something; under the lock. */
  boolean isReadable(SharedReader reader) {
    return reader.end() != null || reader.position() < blocks.received() || state != State.FLOWING;
  }

  Content.@Nullable Chunk read(SharedReader reader) {
    Content.Chunk chunk;
    boolean isLeaving;
    synchronized (lock) {
      if (reader.end() != null) {
        return reader.end();
      }
      chunk = next(reader);
      isLeaving = reader.end() != null;
    }
    if (isLeaving) {
      owner.left();
    }
    return chunk;
  }

  private Content.@Nullable Chunk next(SharedReader reader) {
    boolean isRest = false;
    Content.Chunk chunk = null;
    if (reader.position() < blocks.received()) {
      Block block = blocks.retainAt(reader.position());
      int from = (int) (reader.position() % Block.SIZE);
      int count = (int) Math.min(Block.SIZE - from, blocks.received() - reader.position());
      reader.took(count, nanoTime());
      isRest = isAllHere() && reader.position() == blocks.received();
      chunk =
          Content.Chunk.from(
              block.slice(from, from + count), isRest, () -> gaveBack(reader, block));
    } else if (state == State.WHOLE) {
      isRest = true;
      chunk = Content.Chunk.EOF;
    } else if (state == State.FAILED) {
      isRest = true;
      chunk = Content.Chunk.from(failed());
    }
    if (isRest && chunk != null) {
      readers.remove(reader);
      reader.endWith(Content.Chunk.isFailure(chunk) ? chunk : Content.Chunk.EOF);
    }
    return chunk;
  }

  /** The end is told after the last byte, but a length says it with it. */
  private boolean isAllHere() {
    return state == State.WHOLE || (state == State.FLOWING && length == blocks.received());
  }

  private void gaveBack(SharedReader reader, Block block) {
    block.release();
    boolean isDue;
    synchronized (lock) {
      reader.gaveBack(nanoTime());
      isDue = pump.makeRoom();
    }
    if (isDue) {
      pump.pump();
    }
  }

  /** A reader wants no more. */
  void leave(SharedReader reader, ExchangeException why) {
    boolean isUntold;
    boolean isWaiting;
    boolean isDue;
    synchronized (lock) {
      if (reader.end() != null) {
        return;
      }
      reader.endWith(Content.Chunk.from(why));
      readers.remove(reader);
      isUntold = reader.answer();
      isWaiting = reader.startDispatch();
      isDue = !readers.isEmpty() && pump.makeRoom();
    }
    owner.left();
    if (isUntold) {
      reader.ticket().listener().onFailure(why);
    }
    if (isWaiting) {
      reader.dispatch();
    }
    if (isDue) {
      pump.pump();
    }
  }

  /** Nobody wants it. Closes the origin's side; {@link Owner#ended} is not called any more. */
  void cancel() {
    boolean isDue;
    synchronized (lock) {
      if (state == State.HANDED_ON) {
        return;
      }
      state = state == State.WHOLE ? State.WHOLE : State.FAILED;
      isDue = pump.close();
    }
    cancelOrigin();
    if (isDue) {
      pump.pump(); // to give back what it holds
    }
  }

  /** It cannot go on, though the origin could. */
  void giveUp(ExchangeException why) {
    end(Optional.of(why));
    cancelOrigin();
  }

  private void cancelOrigin() {
    Fetching running;
    synchronized (lock) {
      isCancelled = true;
      running = origin;
    }
    if (running != null) {
      running.cancel();
    }
  }

  /** Gives all memory back; nobody reads any more. Idempotent. */
  void free() {
    synchronized (lock) {
      blocks.free();
    }
  }
}
