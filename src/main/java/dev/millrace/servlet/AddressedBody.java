package dev.millrace.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * A body with the address in place of every {@link AddressPlaceholder}, while it streams: one chunk
 * is held, and what may be the beginning of a placeholder. The address is asked for when the first
 * is found. Its length is not known beforehand. Read by one caller at a time; failed from any
 * thread.
 */
final class AddressedBody implements Content.Source {
  private final Content.Source source;
  private final Supplier<CompletionStage<String>> addressOf;
  private @Nullable CompletableFuture<String> address;
  private boolean isAddressAwaited;
  private byte[] bytes;
  private int at;
  private boolean isLastRead;
  private volatile Content.@Nullable Chunk end;

  /**
   * @param begun bytes that come before those of {@code source}
   */
  AddressedBody(byte[] begun, Content.Source source, Supplier<CompletionStage<String>> addressOf) {
    this.bytes = begun;
    this.source = source;
    this.addressOf = addressOf;
  }

  @Override
  public Content.@Nullable Chunk read() {
    while (true) {
      Content.Chunk ended = end;
      if (ended != null) {
        return ended;
      }
      Content.Chunk ready = ready();
      if (ready != null || isAddressAwaited) {
        return ready;
      }
      if (isLastRead) {
        end = Content.Chunk.EOF;
        continue;
      }
      Content.Chunk chunk = source.read();
      if (chunk == null) {
        return null;
      }
      if (Content.Chunk.isFailure(chunk)) {
        end = chunk;
      } else {
        add(chunk);
      }
    }
  }

  /** What can be given away of the bytes that are held; null if there is nothing. */
  private Content.@Nullable Chunk ready() {
    int from = at;
    int length = AddressPlaceholder.NONE;
    while (at < bytes.length) {
      length = AddressPlaceholder.lengthAt(bytes, at, bytes.length);
      if (length == AddressPlaceholder.NONE || (length == AddressPlaceholder.MAYBE && isLastRead)) {
        at++;
      } else {
        break;
      }
    }
    if (at > from) {
      return Content.Chunk.from(ByteBuffer.wrap(bytes, from, at - from).slice(), false);
    }
    return length > 0 ? replacement(length) : null;
  }

  private Content.@Nullable Chunk replacement(int length) {
    CompletableFuture<String> asked = address;
    if (asked == null) {
      asked = addressOf.get().toCompletableFuture();
      address = asked;
    }
    isAddressAwaited = !asked.isDone();
    if (isAddressAwaited) {
      return null;
    }
    if (asked.isCompletedExceptionally()) {
      Throwable cause = asked.handle((known, failure) -> failure).join();
      end = Content.Chunk.from(ForwardErrand.withoutAddress(cause));
      source.fail(end.getFailure());
      return end;
    }
    at += length;
    return Content.Chunk.from(ByteBuffer.wrap(asked.join().getBytes(ISO_8859_1)), false);
  }

  private void add(Content.Chunk chunk) {
    ByteBuffer more = chunk.getByteBuffer();
    byte[] joined = new byte[bytes.length - at + more.remaining()];
    System.arraycopy(bytes, at, joined, 0, bytes.length - at);
    more.get(joined, bytes.length - at, more.remaining());
    bytes = joined;
    at = 0;
    isLastRead = chunk.isLast();
    chunk.release();
  }

  @Override
  public void demand(Runnable demandCallback) {
    CompletableFuture<String> asked = address;
    if (end != null) {
      demandCallback.run();
    } else if (isAddressAwaited && asked != null) {
      isAddressAwaited = false;
      var unused = asked.whenComplete((known, failure) -> demandCallback.run());
    } else {
      source.demand(demandCallback);
    }
  }

  @Override
  public void fail(Throwable failure) {
    if (end == null) {
      end = Content.Chunk.from(failure);
    }
    source.fail(failure);
  }
}
