package dev.millrace.upstream;

import dev.millrace.stream.MemoryBudget;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.HttpClientTransport;
import org.eclipse.jetty.util.component.LifeCycle;

/**
 * Reads bodies in large pieces while there are few of them, and in smaller ones when there are
 * many: large reads cost less, but a stalled client pins one.
 */
final class JettyElasticClient extends HttpClient {
  private static final int READ_BYTES = 64 << 10;
  private static final int LARGE_READ_BYTES = 128 << 10;

  /** There are few bodies while at most this part of the buffer memory is reserved. */
  private static final int FEW = 8;

  private final MemoryBudget memory;

  JettyElasticClient(HttpClientTransport transport, MemoryBudget memory) {
    super(transport);
    this.memory = memory;
  }

  /** Where buffer memory is reserved. */
  MemoryBudget memory() {
    return memory;
  }

  /** Asked before each read. */
  @Override
  public int getResponseBufferSize() {
    boolean areFew = memory.reservedBytes() <= memory.limitBytes() / FEW;
    return areFew ? LARGE_READ_BYTES : READ_BYTES;
  }

  @Override
  public void close() {
    LifeCycle.stop(this);
  }
}
