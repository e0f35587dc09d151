package dev.millrace.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hls.PlaylistRewriter;
import dev.millrace.hls.PlaylistText;
import dev.millrace.hls.UriRewriter;
import dev.millrace.link.LinkFormat;
import dev.millrace.link.LinkTokens;
import dev.millrace.proxy.ChildLinks;
import dev.millrace.proxy.Grant;
import dev.millrace.proxy.HlsConfig;
import dev.millrace.proxy.HlsParameters;
import dev.millrace.proxy.ProxyConfig;
import dev.millrace.proxy.PublicAddress;
import dev.millrace.proxy.QueryParameters;
import dev.millrace.stream.ByteBuilder;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.Target;
import dev.millrace.upstream.UpstreamHead;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * From the bytes of a playlist as an origin sends them to all of the rewritten one: two hours in segments of 6 s, addresses of
 * 80 bytes, pieces of 32 KiB as they are written to a client.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class RewritingBenchmark {
  private static final int SEGMENTS = 1200;
  private static final int PIECE = 32 << 10;
  private static final String NAME = "0123456789abcdef".repeat(2) + "0123456";
  private static final String BASE = "https://cdn.example/films/2026/index.m3u8";

  private final byte[] playlist = playlist();
  private final HlsParameters parameters = parameters();
  private final Grant grant = new Grant(query(), Optional.empty());
  private final PublicAddress address = new PublicAddress("http://proxy.example:8888", "");
  private final UpstreamHead head = head();
  private final Optional<LinkTokens> tokens =
      Optional.of(new LinkTokens("a password of sixteen", List.of("a secret of the server"), LinkFormat.V2, true));
  private final ByteBuilder piece = new ByteBuilder(PIECE + 4096);

  /** What is counted beside the time. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.OPERATIONS)
  public static class Bytes {
    public long in;
    public long out;
  }

  private static byte[] playlist() {
    String segments =
        IntStream.range(0, SEGMENTS)
            .mapToObj(i -> String.format("#EXTINF:6.00000,%nhttps://cdn.example/films/2026/%s/%06d.ts%n", NAME, i))
            .collect(Collectors.joining());
    return ("#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n#EXT-X-PLAYLIST-TYPE:VOD\n" + segments + "#EXT-X-ENDLIST\n").getBytes(UTF_8);
  }

  private static QueryParameters query() {
    try {
      return QueryParameters.parse("d=https%3A%2F%2Fcdn.example%2Ffilms%2F2026%2Findex.m3u8&h_referer=https%3A%2F%2Fsite.example%2F");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static HlsParameters parameters() {
    try {
      return HlsParameters.parse(query(), false, ProxyConfig.defaults());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static UpstreamHead head() {
    try {
      return new UpstreamHead(200, Headers.EMPTY, Target.parse(BASE));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Benchmark
  public void plain(Bytes bytes) {
    rewrite(ChildLinks.of(parameters, grant, address, head, HlsConfig.defaults(), Optional.empty()), bytes);
  }

  @Benchmark
  public void token(Bytes bytes) {
    rewrite(ChildLinks.of(parameters, grant, address, head, HlsConfig.defaults(), tokens), bytes);
  }

  private void rewrite(UriRewriter links, Bytes bytes) {
    PlaylistText.Collector collector = new PlaylistText.Collector();
    collector.append(ByteBuffer.wrap(playlist));
    PlaylistRewriter rewriter = new PlaylistRewriter(collector.toText(), BASE, Map.of(), List.of(), links);
    boolean hasMore = true;
    while (hasMore) {
      hasMore = rewriter.write(piece.clear(), PIECE);
      bytes.out += piece.length();
    }
    bytes.in += playlist.length;
  }
}
