package dev.millrace.servlet;

import dev.millrace.hls.Aes128Decryptor;
import dev.millrace.proxy.OriginAnswerException;
import dev.millrace.proxy.ProxyParameters;
import dev.millrace.proxy.RangeRequest;
import dev.millrace.proxy.StreamPlanner;
import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.Fetch;
import dev.millrace.upstream.UpstreamHead;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.eclipse.jetty.io.Content;

/**
 * Takes the answer of whoever has the key of a segment: exactly 16 bytes (RFC 8216 §4.3.2.4). No
 * more than one byte beyond them, and what came in the same chunk, is ever read.
 */
final class KeyFetch implements Fetch.Listener, BodyStart.Listener {
  /** Hears one of the two, once. */
  interface Listener {
    /**
     * The key is here.
     *
     * @param key 16 bytes, the hearer's
     */
    void keyFetched(byte[] key);

    void keyFailed(Throwable failure);
  }

  private final ProxyParameters parameters;
  private final Listener listener;

  /**
   * @param parameters with which the key was asked for
   */
  KeyFetch(ProxyParameters parameters, Listener listener) {
    this.parameters = parameters;
    this.listener = listener;
  }

  @Override
  public void onResponse(UpstreamHead head, Content.Source body) {
    try {
      // a key is a body as any other: the same statuses, the same words for a refusal
      var unused = StreamPlanner.plan(parameters, RangeRequest.NONE, head, Optional.empty());
    } catch (ExchangeException | RuntimeException e) {
      body.fail(e);
      listener.keyFailed(e);
      return;
    }
    BodyStart.read(body, Aes128Decryptor.BLOCK_BYTES + 1, (start, isAll) -> false, this);
  }

  @Override
  public void begun(ByteBuffer start, Content.Source body) {
    boolean isKey = start.remaining() == Aes128Decryptor.BLOCK_BYTES;
    byte[] key = new byte[isKey ? Aes128Decryptor.BLOCK_BYTES : 0];
    start.get(key);
    BodyStart.end(body);
    if (isKey) {
      listener.keyFetched(key);
    } else {
      listener.keyFailed(OriginAnswerException.badKey());
    }
  }

  @Override
  public void failed(Throwable failure) {
    listener.keyFailed(failure);
  }

  @Override
  public void onFailure(ExchangeException failure) {
    listener.keyFailed(failure);
  }
}
