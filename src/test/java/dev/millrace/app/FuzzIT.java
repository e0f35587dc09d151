package dev.millrace.app;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.link.LinkFormat;
import dev.millrace.link.LinkRights;
import dev.millrace.link.LinkTokens;
import dev.millrace.link.ProxyLink;
import dev.millrace.proxy.Endpoint;
import dev.millrace.testing.CapturedLog;
import dev.millrace.testing.CompatibleToken;
import dev.millrace.testing.Mutations;
import dev.millrace.testing.ProxyServer;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.TestSettings;
import dev.millrace.upstream.RouteConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whatever is sent, the answer is no failure of the server, and there is one: mutations of valid
 * requests, for five seconds each, more with {@code -Dfuzz.seconds}. The seed is printed; {@code
 * -Dfuzz.seed} takes it again. Whatever a mutated destination names goes through a toy proxy that
 * knows nobody, so nothing leaves this machine.
 */
@Timeout(180)
class FuzzIT {
  private static final String PASSWORD = "correct-horse";
  private static final int SILENCE_MILLIS = 10_000;
  private static final int PATIENCE_MILLIS = 100;
  private static final long SECONDS = Long.getLong("fuzz.seconds", 5);
  private static final long SEED = Long.getLong("fuzz.seed", new Random().nextLong());
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3}) ");
  private static final AtomicInteger STRANGERS = new AtomicInteger();

  /** Not built, and a version of HTTP that is none of ours; also what the toy proxy answers. */
  private static final List<Integer> HONEST = List.of(501, 505);

  @AutoClose private static final ProxyServer NOWHERE = ProxyServer.http();

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(
          settings ->
              settings
                  .password(PASSWORD)
                  .allowTargets()
                  .routes(new RouteConfig(List.of(), Optional.of(NOWHERE.url()), true)));

  private static final CapturedLog LOG = CapturedLog.start();

  private final Random random = new Random(SEED);
  private final Mutations mutations = new Mutations(random);

  @AfterAll
  static void hadNothingUnexpected() {
    LOG.close();
    assertThat(withoutRaceOfJetty(LOG.lines()))
        .as("seed " + SEED)
        .anyMatch(line -> line.contains("its link was refused"))
        .noneMatch(line -> line.contains("failed unexpectedly"))
        .noneMatch(line -> line.contains("\tat "))
        .noneMatch(line -> line.contains("Exception"));
    assertThat(LOG.text()).doesNotContain(PASSWORD);
  }

  /**
   * What Jetty's pool says when the thread that answers a request which cannot be parsed and the
   * one that has parsed it both give the same buffer back; once in some thousand such requests.
   */
  private static List<String> withoutRaceOfJetty(List<String> lines) {
    List<String> kept = new ArrayList<>(lines);
    for (int i = 0; i + 1 < kept.size(); i++) {
      if (kept.get(i).endsWith("Job failed") && kept.get(i + 1).contains("already released")) {
        kept.subList(i, i + 2).clear();
        while (i < kept.size()
            && kept.get(i).matches("\\tat (org\\.eclipse\\.jetty|java\\.base).*")) {
          kept.remove(i);
        }
      }
    }
    return kept;
  }

  @Test
  void answersAnyToken() throws IOException {
    long end = System.nanoTime() + SECONDS * 1_000_000_000;
    int count = 0;
    for (; System.nanoTime() < end; count++) {
      String token = mutatedToken();
      String where =
          random.nextBoolean() ? "/_token_" + token + path() : path() + "?token=" + token;
      send("GET " + where + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    }
    System.out.println("FuzzIT tokens: " + count + ", seed " + SEED);
    assertThat(count).isPositive();
  }

  /** Also payloads that are sealed well and say anything. */
  private String mutatedToken() {
    String json = "{\"api_password\":\"" + PASSWORD + "\",\"d\":\"http://127.0.0.1:1/\",\"exp\":9}";
    return switch (random.nextInt(4)) {
      case 0 -> escaped(mutations.of(token(LinkFormat.V2)));
      case 1 -> escaped(mutations.of(token(LinkFormat.COMPATIBLE)));
      case 2 -> CompatibleToken.seal(PASSWORD, mutations.of(json));
      default -> token(LinkFormat.V2, mutations.of("d"), mutations.of("http://127.0.0.1:1/"));
    };
  }

  private static String token(LinkFormat format) {
    return token(format, "d", "http://127.0.0.1:1/");
  }

  private static String token(LinkFormat format, String name, String value) {
    return new LinkTokens(PASSWORD, TestSettings.LINKS.secrets(), format, true)
        .seal(new ProxyLink(Map.of(name, value), LinkRights.UNLIMITED));
  }

  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder();
    for (byte b : text.getBytes(ISO_8859_1)) {
      boolean isPlain = b > ' ' && b < 0x7f && "%#?&/\\\"<>[]^`{|}".indexOf(b) < 0;
      escaped.append(isPlain ? String.valueOf((char) b) : String.format("%%%02X", b & 0xFF));
    }
    return escaped.toString();
  }

  private String path() {
    List<String> paths = paths();
    return paths.get(random.nextInt(paths.size()));
  }

  private static List<String> paths() {
    return Arrays.stream(Endpoint.values())
        .flatMap(endpoint -> endpoint.paths().stream())
        .map(path -> path.replace("*", "x"))
        .toList();
  }

  @Test
  void answersAnyParameterAndPath() throws IOException {
    long end = System.nanoTime() + SECONDS * 1_000_000_000;
    int count = 0;
    for (; System.nanoTime() < end; count++) {
      String path = random.nextInt(3) == 0 ? escaped(mutations.of(path())) : path();
      send(
          method()
              + " /"
              + path.substring(path.startsWith("/") ? 1 : 0)
              + "?"
              + query()
              + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    }
    System.out.println("FuzzIT parameters: " + count + ", seed " + SEED);
    assertThat(count).isPositive();
  }

  private String method() {
    List<String> methods = List.of("GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH");
    return random.nextBoolean() ? "GET" : methods.get(random.nextInt(methods.size()));
  }

  private String query() {
    List<String> pairs =
        new ArrayList<>(
            List.of(
                "d=http%3A%2F%2F127.0.0.1%3A1%2Fv.mp4",
                "h_referer=http%3A%2F%2Fr%2F",
                "r_content-type=video%2Fmp4",
                "rp_x-a=b",
                "x_headers=a%2Cb",
                "live=true",
                "transcode=false",
                "transformer=none",
                "filename=a.mp4",
                "fallback=http%3A%2F%2F127.0.0.1%3A1%2F",
                "url=aHR0cDovL2E",
                "_HLS_msn=1"));
    for (int i = random.nextInt(4); i > 0; i--) {
      int at = random.nextInt(pairs.size());
      String pair = pairs.get(at);
      String mutated = mutations.of(pair);
      pairs.set(at, random.nextBoolean() ? mutated.replaceAll("[^!-~]", "%7F") : escaped(mutated));
    }
    pairs.add("api_password=" + PASSWORD);
    return String.join("&", pairs).replace("#", "%23");
  }

  @Test
  void answersAnyFields() throws IOException {
    List<String> fields =
        List.of(
            "Range: bytes=0-9",
            "If-Range: \"abc\"",
            "api_password: " + PASSWORD,
            "X-Forwarded-For: 203.0.113.7, 10.0.0.1",
            "Forwarded: for=\"[2001:db8::1]:80\";proto=https;host=a.b",
            "X-Forwarded-Proto: https",
            "X-Forwarded-Host: a.example:8443",
            "X-Forwarded-Prefix: /mfp",
            "X-Real-IP: 203.0.113.7",
            "Origin: http://a.b",
            "Access-Control-Request-Method: GET",
            "Access-Control-Request-Headers: range",
            "Content-Type: application/json",
            "Content-Length: 0",
            "Expect: 100-continue",
            "Cookie: a=b",
            "Accept-Encoding: gzip");
    long end = System.nanoTime() + SECONDS * 1_000_000_000;
    int count = 0;
    for (; System.nanoTime() < end; count++) {
      StringBuilder head = new StringBuilder(method()).append(' ').append(path()).append('?');
      head.append("d=http%3A%2F%2F127.0.0.1%3A1%2F HTTP/1.1\r\nHost: ");
      head.append(random.nextInt(4) == 0 ? mutations.of("a.example:80") : "h").append("\r\n");
      for (String field : fields) {
        if (random.nextInt(3) == 0) {
          head.append(random.nextBoolean() ? field : mutations.of(field)).append("\r\n");
        }
      }
      send(head.append("Connection: close\r\n\r\n").toString());
    }
    System.out.println("FuzzIT fields: " + count + ", seed " + SEED);
    assertThat(count).isPositive();
  }

  @Test
  void answersAnythingAtAll() throws IOException {
    String valid =
        "GET /_token_"
            + token(LinkFormat.V2)
            + "/proxy/stream/a%20b.mkv?_HLS_msn=1 HTTP/1.1\r\n"
            + "Host: 127.0.0.1\r\nRange: bytes=0-9\r\nConnection: close\r\n\r\n";
    long end = System.nanoTime() + SECONDS * 1_000_000_000;
    int count = 0;
    for (; System.nanoTime() < end; count++) {
      send(mutations.of(valid));
    }
    System.out.println("FuzzIT requests: " + count + ", seed " + SEED);
    assertThat(count).isPositive();
  }

  /** Each from an address of its own: wrong passwords of one would hide what others do. */
  private static void send(String request) throws IOException {
    int number = STRANGERS.incrementAndGet() & 0x3FFFF;
    String source =
        "127." + (2 + (number >> 16)) + "." + (number >> 8 & 0xFF) + "." + (number & 0xFF);
    try (Socket socket = new Socket()) {
      socket.bind(new InetSocketAddress(source, 0));
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), PROXY.port()));
      String answer = exchange(socket, request);
      assertFine(answer, request);
    }
  }

  /** What is no whole request, or keeps its connection, is ended after a while. */
  private static String exchange(Socket socket, String request) throws IOException {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    try {
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      if (!isReadToEnd(socket, PATIENCE_MILLIS, answer)) {
        socket.shutdownOutput();
        assertThat(isReadToEnd(socket, SILENCE_MILLIS, answer)).as("hangs: " + request).isTrue();
      }
    } catch (SocketException closedWhileWeSent) {
      assertThat(closedWhileWeSent).hasMessageMatching("Broken pipe|Connection reset.*");
    }
    return answer.toString(ISO_8859_1);
  }

  private static boolean isReadToEnd(Socket socket, int millis, ByteArrayOutputStream answer)
      throws IOException {
    socket.setSoTimeout(millis);
    byte[] buffer = new byte[8192];
    try {
      for (int n = 0; n >= 0; n = socket.getInputStream().read(buffer)) {
        answer.write(buffer, 0, n);
      }
      return true;
    } catch (SocketTimeoutException open) {
      return false;
    }
  }

  private static void assertFine(String answer, String request) {
    String what = "seed " + SEED + ": " + request + "\n=> " + answer;
    Matcher status = STATUS.matcher(answer);
    if (status.lookingAt()) {
      int code = Integer.parseInt(status.group(1));
      boolean isHonest =
          code < 500
              || HONEST.contains(code)
              || answer.matches("(?s).*\"hop\":\"(origin|outbound_proxy)\".*");
      boolean isHeadOfFailure = request.startsWith("HEAD") && code == 502;
      assertThat(isHonest || isHeadOfFailure).as(what).isTrue();
    }
    assertThat(answer).as(what).doesNotContain("\tat ", "Exception", PASSWORD, "internal_error");
  }
}
