package dev.millrace.bench;

import dev.millrace.link.LinkFormat;
import dev.millrace.link.LinkRights;
import dev.millrace.link.LinkTokens;
import dev.millrace.link.ProxyLink;
import dev.millrace.proxy.AccessPolicy;
import dev.millrace.proxy.Caller;
import dev.millrace.proxy.Claim;
import dev.millrace.proxy.Endpoint;
import dev.millrace.proxy.Grant;
import dev.millrace.proxy.ProxyConfig;
import dev.millrace.proxy.QueryParameters;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What access costs a request, from the claim to the grant: a link as add-ons make it, 400 bytes of parameters. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class LinkBenchmark {
  private static final String PASSWORD = "a password of sixteen";
  private static final Caller CALLER = new Caller("203.0.113.7", false);

  private final AccessPolicy access =
      AccessPolicy.of(
          new ProxyConfig(Optional.of(PASSWORD), false, ProxyConfig.DEFAULT_USER_AGENT, false),
          Optional.of(tokens(LinkFormat.V2)),
          Clock.systemUTC(),
          System::nanoTime);
  private final LinkTokens v2 = tokens(LinkFormat.V2);
  private final LinkTokens compatible = tokens(LinkFormat.COMPATIBLE);
  private final ProxyLink link = link();
  private final String v2Token = v2.seal(link);
  private final String compatibleToken = compatible.seal(link);

  private static LinkTokens tokens(LinkFormat format) {
    return new LinkTokens(PASSWORD, List.of("a secret of the server"), format, true);
  }

  private static ProxyLink link() {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("d", "https://cdn.example/films/2026/" + "0123456789abcdef".repeat(8) + ".mp4");
    parameters.put("h_referer", "https://site.example/watch?film=0123456789");
    parameters.put("h_user-agent", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/136");
    parameters.put("h_origin", "https://site.example");
    parameters.put("rp_content-type", "video/mp4");
    return new ProxyLink(
        parameters,
        new LinkRights(
            Optional.of(Instant.ofEpochSecond(4_102_444_800L)),
            Optional.of("203.0.113.7"),
            Optional.of("stream")));
  }

  private Grant admitted(String path, String query) throws Exception {
    Claim claim =
        new Claim(path, QueryParameters.parse(query), Optional.empty(), CALLER, "proxy.example");
    return access.admit(Endpoint.STREAM, access.receive(claim));
  }

  @Benchmark
  public Grant openOurs() throws Exception {
    return admitted("/_token_" + v2Token + "/proxy/stream", null);
  }

  @Benchmark
  public Grant openCompatibleAndCheckPassword() throws Exception {
    return admitted("/_token_" + compatibleToken + "/proxy/stream", null);
  }

  @Benchmark
  public Grant checkPassword() throws Exception {
    return admitted("/proxy/stream", "api_password=a+password+of+sixteen");
  }

  @Benchmark
  public String sealOurs() {
    return v2.seal(link);
  }

  @Benchmark
  public String sealCompatible() {
    return compatible.seal(link);
  }
}
