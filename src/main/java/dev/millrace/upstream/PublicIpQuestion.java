package dev.millrace.upstream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.UpstreamException.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One service asked once for the public address. It may answer with the bare address, or with JSON
 * that has it as {@code ip} or {@code origin}, there perhaps with further ones after a comma.
 * Redirects are not followed.
 */
final class PublicIpQuestion implements Upstream.Listener {
  static final Duration MAX_TIME = Duration.ofSeconds(5);
  static final int MAX_BODY_BYTES = 64 << 10;

  private static final Logger LOG = LoggerFactory.getLogger(PublicIpQuestion.class);
  private static final int OK = 200;
  private static final Headers FIELDS =
      Headers.of(
          "Accept", "application/json, text/plain",
          "Accept-Encoding", "identity",
          "User-Agent", "millrace");
  private static final Pattern MEMBER =
      Pattern.compile("\"(?:ip|origin)\"\\s*:\\s*\"([^\",]{1,64})[\",]");

  private final Target service;
  private final Consumer<Optional<String>> told;
  private final ByteArrayOutputStream text = new ByteArrayOutputStream();
  private final AtomicBoolean isOver = new AtomicBoolean();
  private volatile @Nullable Future<?> deadline;
  private volatile Upstream.@Nullable Exchange exchange;

  private PublicIpQuestion(Target service, Consumer<Optional<String>> told) {
    this.service = service;
    this.told = told;
  }

  /**
   * Asks.
   *
   * @param told is called once, on any thread: with an IP literal, or empty
   */
  static void ask(
      Target service,
      Upstream upstream,
      ScheduledExecutorService timer,
      Consumer<Optional<String>> told) {
    PublicIpQuestion question = new PublicIpQuestion(service, told);
    try {
      question.deadline =
          timer.schedule(question::giveUp, MAX_TIME.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException stopping) {
      question.end("the server stops");
      return;
    }
    Headers fields =
        service
            .userInfo()
            .map(userInfo -> FIELDS.with("Authorization", NextAttempt.basic(userInfo)))
            .orElse(FIELDS);
    question.exchange = upstream.send(new UpstreamRequest("GET", service, fields), question);
    if (question.isOver.get()) {
      question.abort();
    }
  }

  private void giveUp() {
    end("it did not answer in time");
    abort();
  }

  /** Does nothing to an exchange that is complete. */
  private void abort() {
    Upstream.Exchange sent = exchange;
    if (sent != null) {
      sent.abort(new UpstreamException(Kind.UPSTREAM_TIMEOUT));
    }
  }

  @Override
  public void onResponse(UpstreamHead head, Content.Source body) {
    if (head.status() == OK) {
      read(body);
    } else {
      Discard.of(body);
      end("status " + head.status());
    }
  }

  private void read(Content.Source body) {
    while (true) {
      Content.Chunk chunk = body.read();
      if (chunk == null) {
        body.demand(() -> read(body));
        return;
      }
      if (Content.Chunk.isFailure(chunk)) {
        end("its answer was cut");
        return;
      }
      take(chunk);
      if (text.size() > MAX_BODY_BYTES) {
        body.fail(new IOException("the answer is too long"));
        end("its answer is longer than " + MAX_BODY_BYTES + " bytes");
        return;
      }
      if (chunk.isLast()) {
        end();
        return;
      }
    }
  }

  private void take(Content.Chunk chunk) {
    byte[] bytes = new byte[chunk.remaining()];
    chunk.getByteBuffer().get(bytes);
    chunk.release();
    text.writeBytes(bytes);
  }

  @Override
  public void onFailure(ExchangeException failure) {
    end(failure.reason());
  }

  @Override
  public void onComplete() {}

  private void end() {
    Optional<String> address = addressIn(text.toString(ISO_8859_1));
    if (address.isEmpty()) {
      end("its answer holds no address");
    } else if (isFirstEnd()) {
      told.accept(address);
    }
  }

  private void end(String reason) {
    if (isFirstEnd()) {
      LOG.info("{} did not tell the public address: {}", service.origin(), reason);
      told.accept(Optional.empty());
    }
  }

  private boolean isFirstEnd() {
    if (!isOver.compareAndSet(false, true)) {
      return false;
    }
    Future<?> timeout = deadline;
    if (timeout != null) {
      timeout.cancel(false);
    }
    return true;
  }

  /** The first address that an answer names. */
  static Optional<String> addressIn(String answer) {
    String text = answer.strip();
    if (text.startsWith("{")) {
      Matcher member = MEMBER.matcher(text);
      text = member.find() ? member.group(1).strip() : "";
    }
    try {
      return Optional.of(PublicIpConfig.checkedAddress(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
