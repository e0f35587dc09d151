package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two hundred clients that hardly read cost little memory and few threads, and hurt nobody. */
@Timeout(60)
class ManySlowClientsIT {
  private static final int CLIENTS = 200;
  private static final int RECEIVE_BUFFER = 4 << 10;
  private static final long GIGABYTE = 1L << 30;

  /** A large read, what a connection holds, and the origin's own buffer, in this process too. */
  private static final long DIRECT_LIMIT_BYTES = CLIENTS * ((128L + 32 + 128) << 10);

  @AutoClose private final RunningMillrace proxy = RunningMillrace.start();
  @AutoClose private final OriginServer origin = OriginServer.start(ToyOrigins.file(GIGABYTE));
  private final List<RawHttp> clients = new ArrayList<>();

  private long directBytesBefore;

  @BeforeEach
  void startClients() throws IOException {
    directBytesBefore = directBytes();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(proxy.ask(RECEIVE_BUFFER, origin.url("/film.mp4")));
    }
  }

  @AfterEach
  void stopClients() throws IOException {
    for (RawHttp client : clients) {
      client.close();
    }
  }

  @Test
  void servesEveryoneWithBoundedMemoryAndThreads() throws IOException {
    readFirstByteOfEach();
    assertThat(directBytes() - directBytesBefore).isLessThan(DIRECT_LIMIT_BYTES);
    assertThat(threadsOfServer()).isLessThanOrEqualTo(64);
  }

  @Test
  void servesNewRequestsFast_meanwhile() throws IOException {
    readFirstByteOfEach();
    try (OriginServer other = OriginServer.start(ToyOrigins.file(1_000))) {
      List<Long> millis = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        long start = System.nanoTime();
        assertThat(proxy.get(other.url("/v.mp4")).status()).isEqualTo(200);
        millis.add(Duration.ofNanos(System.nanoTime() - start).toMillis());
      }
      millis.sort(null);
      assertThat(millis.get(10)).isLessThan(100);
    }
  }

  @Test
  void servesSameOriginToo_meanwhile() throws IOException {
    readFirstByteOfEach();
    String link = StreamLink.to(origin.url("/film.mp4")).toString();
    assertThat(proxy.fetch("GET", link, "Range: bytes=0-9").bytes()).hasSize(10);
  }

  private void readFirstByteOfEach() throws IOException {
    for (RawHttp client : clients) {
      assertThat(client.body("GET", client.head()).count(1).length()).isEqualTo(1);
    }
  }

  private static long threadsOfServer() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("millrace"))
        .count();
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
