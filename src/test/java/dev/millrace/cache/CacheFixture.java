package dev.millrace.cache;

import dev.millrace.testing.CountingMetrics;
import dev.millrace.testing.ManualTimer;
import dev.millrace.upstream.OriginGate;
import java.nio.ByteBuffer;
import java.time.Duration;

/** A cache over a scripted origin, in a time that the test moves. */
final class CacheFixture {
  static final int BLOCK = Block.SIZE;

  final ScriptedOrigin origin = new ScriptedOrigin();
  final ManualTimer timer = new ManualTimer();
  final CountingMetrics metrics = new CountingMetrics();
  final OriginGate gate = new OriginGate(10, 10, Duration.ofSeconds(1), timer);
  final SegmentCache cache;

  private CacheFixture(int blocks, int ahead, BlockPool.Memory memory) {
    long bytes = (long) blocks * BLOCK;
    CacheConfig config =
        new CacheConfig(bytes, Duration.ofSeconds(300), ahead, Duration.ofSeconds(60));
    cache =
        SegmentCache.of(
            config, origin, CacheLimits.of(bytes, timer, timer::nanoTime), gate, memory, metrics);
  }

  /** A body may have half of the blocks. */
  static CacheFixture ofBlocks(int blocks) {
    return new CacheFixture(blocks, 0, ByteBuffer::allocate);
  }

  static CacheFixture ahead(int blocks, int ahead) {
    return new CacheFixture(blocks, ahead, ByteBuffer::allocate);
  }

  static CacheFixture withMemory(int blocks, BlockPool.Memory memory) {
    return new CacheFixture(blocks, 0, memory);
  }

  Viewer view(String path, String... fields) {
    return Viewer.of(cache, ScriptedOrigin.media(path, fields));
  }

  Viewer read(String path) {
    return Viewer.of(cache, ScriptedOrigin.document(path));
  }

  int usedBlocks() {
    return (int) (cache.usedBytes() / BLOCK);
  }

  void pass(int seconds) {
    timer.advance(Duration.ofSeconds(seconds));
  }
}
