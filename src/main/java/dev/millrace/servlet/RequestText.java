package dev.millrace.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.stream.ExchangeException;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request as text, read as it comes: no thread waits for its sender, however slow,
 * and no more memory is taken than has come. UTF-8, perhaps with a byte order mark.
 *
 * <p>Limits: {@link #MAX_BYTES} (413), {@link AnswerServices#atMost} for all of it (408), {@link
 * AnswerServices#texts} over all requests (503).
 */
final class RequestText implements ReadListener {
  static final int MAX_BYTES = 1 << 20;

  private static final int FIRST_BYTES = 4 << 10;
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  /** What becomes of the text. */
  @FunctionalInterface
  interface Use {
    /**
     * The answer. Never blocks.
     *
     * @throws ExchangeException what the client is told instead
     */
    Page answer(String text) throws ExchangeException;
  }

  private final ServletInputStream in;
  private final LateAnswer answer;
  private final Use use;
  private final Future<?> deadline;
  private byte[] bytes = new byte[0];
  private int length;

  private RequestText(ServletInputStream in, LateAnswer answer, Use use, Future<?> deadline) {
    this.in = in;
    this.answer = answer;
    this.use = use;
    this.deadline = deadline;
  }

  /**
   * Takes over the request and answers it when its body is here.
   *
   * @throws ExchangeException if it announces a body that is too long; nothing was read
   */
  static void read(RouteRequest request, AnswerServices services, Use use)
      throws ExchangeException, IOException {
    if (request.clientRequest().getContentLengthLong() > MAX_BYTES) {
      throw BodyRefusedException.tooLong(MAX_BYTES);
    }
    ServletInputStream in = request.clientRequest().getInputStream();
    LateAnswer answer = LateAnswer.begin(request, services);
    long limitMillis = services.atMost().toMillis();
    try {
      Future<?> deadline =
          services
              .timer()
              .schedule(() -> expire(answer, limitMillis), limitMillis, TimeUnit.MILLISECONDS);
      in.setReadListener(new RequestText(in, answer, use, deadline));
    } catch (RejectedExecutionException stopping) {
      answer.fail(new DrainingException());
    }
  }

  private static void expire(LateAnswer answer, long limitMillis) {
    answer.refuse(BodyRefusedException.tooSlow(limitMillis));
  }

  @Override
  public void onDataAvailable() throws IOException {
    try {
      while (!answer.isSaid() && in.isReady() && !in.isFinished()) {
        makeRoom();
        int count = in.read(bytes, length, bytes.length - length);
        length += Math.max(0, count);
        if (length > MAX_BYTES) {
          throw BodyRefusedException.tooLong(MAX_BYTES);
        }
      }
    } catch (ExchangeException e) {
      deadline.cancel(false);
      answer.refuse(e);
    }
  }

  /** One byte more than may come, to see whether it does. */
  private void makeRoom() throws ExchangeException {
    if (length == bytes.length) {
      int size = Math.min(MAX_BYTES + 1, Math.max(FIRST_BYTES, 2 * length));
      answer.reserve(size - length);
      bytes = Arrays.copyOf(bytes, size);
    }
  }

  @Override
  public void onAllDataRead() {
    deadline.cancel(false);
    if (answer.isSaid()) {
      return;
    }
    try {
      answer.send(use.answer(text()));
    } catch (ExchangeException | RuntimeException e) {
      answer.fail(e);
    }
  }

  private String text() throws ExchangeException {
    try {
      String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length)).toString();
      bytes = new byte[0];
      return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw BodyRefusedException.notUtf8();
    }
  }

  /** The sender has gone, or was silent for longer than the container allows. */
  @Override
  public void onError(Throwable failure) {
    deadline.cancel(false);
    answer.refuse(
        isSilence(failure) ? BodyRefusedException.silent() : BodyRefusedException.broken());
  }

  private static boolean isSilence(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof TimeoutException || cause instanceof java.net.SocketTimeoutException) {
        return true;
      }
    }
    return false;
  }
}
