package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proxy.Base64Address;
import dev.millrace.testing.Await;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.ProxyServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.Script;
import dev.millrace.testing.TestSettings;
import dev.millrace.testing.ToyOrigins;
import dev.millrace.upstream.PublicIpConfig;
import dev.millrace.upstream.RouteConfig;
import dev.millrace.upstream.RouteConfig.Route;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The address that origins see is that of the way that the stream takes (report N18). */
@Timeout(60)
class PublicIpIT {
  private static final String PATH = "/proxy/ip?api_password=pw";

  @TempDir private Path directory;

  private static OriginServer service(String text) {
    return OriginServer.start(
        exchange -> exchange.text(200, text, "Content-Type: application/json"));
  }

  private static RunningMillrace asking(
      UnaryOperator<TestSettings> change, OriginServer... services) {
    List<String> urls = Arrays.stream(services).map(s -> s.url("/ip?key=hidden")).toList();
    return RunningMillrace.start(
        settings ->
            change.apply(
                settings.password("pw").publicIp(new PublicIpConfig(Optional.empty(), urls))));
  }

  private static RunningMillrace asking(OriginServer... services) {
    return asking(settings -> settings, services);
  }

  private static UnaryOperator<TestSettings> through(String pattern, String proxyUrl) {
    Route route = new Route(pattern, true, Optional.of(proxyUrl), true);
    return settings -> settings.routes(new RouteConfig(List.of(route), Optional.empty(), false));
  }

  // row 62

  @Test
  void tellsTheAddress() throws IOException {
    try (OriginServer service = service("{\"ip\":\"203.0.113.9\"}");
        RunningMillrace millrace = asking(service)) {
      RawAnswer answer = millrace.fetch("GET", PATH);

      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.text()).isEqualTo("{\"ip\":\"203.0.113.9\"}");
      assertThat(answer.field("Content-Type").orElse("")).startsWith("application/json");
      assertThat(answer.field("Cache-Control")).contains("no-store");
      assertThat(answer.field("Access-Control-Allow-Origin")).contains("*");
    }
  }

  @Test
  void refusesAndAsksNobody_withoutPassword() throws IOException {
    try (OriginServer service = service("{\"ip\":\"203.0.113.9\"}");
        RunningMillrace millrace = asking(service)) {
      assertThat(millrace.fetch("GET", "/proxy/ip").status()).isEqualTo(403);
      assertThat(service.requests()).isEmpty();
    }
  }

  @Test
  void answersHead() throws IOException {
    try (OriginServer service = service("{\"ip\":\"203.0.113.9\"}");
        RunningMillrace millrace = asking(service)) {
      RawAnswer answer = millrace.fetch("HEAD", PATH);

      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.field("Content-Length")).contains("20");
      assertThat(answer.bytes()).isEmpty();
    }
  }

  @Test
  void asksOnce_forManyCallers() throws IOException {
    try (OriginServer service = service("203.0.113.9\n");
        RunningMillrace millrace = asking(service)) {
      for (int i = 0; i < 5; i++) {
        assertThat(millrace.fetch("GET", PATH).text()).contains("203.0.113.9");
      }
      assertThat(service.onlyRequest().fieldNames()).doesNotContain("x-forwarded-for", "cookie");
    }
  }

  @Test
  void asksOthers_whenServicesRedirectOrBabbleOrSendTooMuch() throws IOException {
    try (OriginServer last = service("{\"origin\":\"203.0.113.9, 10.0.0.1\"}");
        OriginServer redirecting = OriginServer.start(ToyOrigins.redirect(last.url("/")));
        OriginServer babbling = service("<html>");
        OriginServer endless = OriginServer.start(ToyOrigins.endless());
        RunningMillrace millrace = asking(redirecting, babbling, endless, last)) {
      assertThat(millrace.fetch("GET", PATH).text()).isEqualTo("{\"ip\":\"203.0.113.9\"}");
      assertThat(last.requests()).hasSize(1);
      Await.until(
          "the endless service's close",
          Duration.ofSeconds(5),
          () -> endless.openConnections() == 0);
    }
  }

  /** Five seconds each, whatever the container thinks of silence. */
  @Test
  void saysThatItDoesNotKnow_whenServicesAreSilent() throws IOException {
    Script silent = exchange -> exchange.hold();
    try (OriginServer one = OriginServer.start(silent);
        OriginServer two = OriginServer.start(silent);
        RunningMillrace millrace =
            asking(settings -> settings.serverIdleTimeout(Duration.ofSeconds(2)), one, two)) {
      long start = System.nanoTime();
      RawAnswer answer = patientFetch(millrace, PATH);

      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isBetween(Duration.ofSeconds(10), Duration.ofSeconds(14));
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.field("Retry-After")).contains("5");
      assertThat(ErrorBody.of(answer).reason()).isEqualTo("public_ip_unknown");
      assertThat(answer.text()).doesNotContain("hidden").doesNotContain("127.0.0.1");
      Await.until("closes", Duration.ofSeconds(5), () -> one.openConnections() == 0);
    }
  }

  private static RawAnswer patientFetch(RunningMillrace millrace, String target)
      throws IOException {
    try (RawHttp client = RawHttp.connect(millrace.port())) {
      client.patience(Duration.ofSeconds(20));
      client.request("GET", target);
      return client.answer("GET");
    }
  }

  @Test
  void asksNobodyOnTheNetworkOfTheServer_unlessThatIsAllowed() throws IOException {
    try (OriginServer service = service("{\"ip\":\"203.0.113.9\"}");
        RunningMillrace millrace = asking(settings -> settings.allowTargets(), service)) {
      assertThat(millrace.fetch("GET", PATH).status()).isEqualTo(503);
      assertThat(service.requests()).isEmpty();
    }
  }

  // the way of the destination

  @Test
  void asksThroughTheProxyOfTheDestination_andDirectlyWithoutOne() throws IOException {
    try (OriginServer service = service("{\"ip\":\"203.0.113.9\"}");
        ProxyServer proxy = ProxyServer.http();
        RunningMillrace millrace = asking(through("all://*.a.test", proxy.url()), service)) {
      assertThat(millrace.fetch("GET", PATH).status()).isEqualTo(200);
      assertThat(proxy.requests()).isEmpty();

      assertThat(millrace.fetch("GET", PATH + "&d=https%3A%2F%2Fcdn.a.test%2Fv").status())
          .isEqualTo(200);
      assertThat(proxy.lines())
          .containsExactly("GET " + service.url("/ip?key=hidden") + " HTTP/1.1");
      assertThat(service.requests()).hasSize(2);
    }
  }

  @Test
  void readsTheDestinationAsStreamsDo() throws IOException {
    try (OriginServer service = service("{\"ip\":\"203.0.113.9\"}");
        ProxyServer proxy = ProxyServer.socks();
        RunningMillrace millrace =
            asking(through("all://a.test", proxy.url("socks5h", "")), service)) {
      String coded = Base64Address.encode("http://a.test/v");
      assertThat(millrace.fetch("GET", PATH + "&d=" + coded).status()).isEqualTo(200);
      assertThat(proxy.requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"notaurl", "file:///etc/passwd", "http%3A%2F%2F"})
  void refusesDestinations_thatAreNone(String d) throws IOException {
    try (OriginServer service = service("{\"ip\":\"203.0.113.9\"}");
        RunningMillrace millrace = asking(service)) {
      RawAnswer answer = millrace.fetch("GET", PATH + "&d=" + d);

      assertThat(answer.status()).isEqualTo(400);
      assertThat(ErrorBody.of(answer).detail()).startsWith("d: ");
      assertThat(service.requests()).isEmpty();
    }
  }

  @Test
  void asksThroughTinyproxy() throws IOException {
    int port = freePort();
    Path settings = directory.resolve("tinyproxy.conf");
    Files.writeString(
        settings,
        "Port "
            + port
            + "\nListen 127.0.0.1\nTimeout 60\nMaxClients 20\nBasicAuth me right\nLogLevel Error\n");
    Process process = start("tinyproxy", port, "-d", "-c", settings.toString());
    try {
      assertGoesThrough("http://me:right@127.0.0.1:" + port);
    } finally {
      ExternalProgram.end(process);
    }
  }

  @Test
  void asksThroughMicrosocks() throws IOException {
    int port = freePort();
    Process process =
        start("microsocks", port, "-i", "127.0.0.1", "-p", "" + port, "-u", "me", "-P", "right");
    try {
      assertGoesThrough("socks5h://me:right@127.0.0.1:" + port);
    } finally {
      ExternalProgram.end(process);
    }
  }

  /** Once it is gone, the way is, and only that one. */
  private static void assertGoesThrough(String proxyUrl) throws IOException {
    try (OriginServer service = service("{\"ip\":\"203.0.113.9\"}");
        RunningMillrace right = asking(through("all://a.test", proxyUrl), service);
        RunningMillrace wrong =
            asking(through("all://a.test", proxyUrl.replace("right", "wrong")), service)) {
      String target = PATH + "&d=http%3A%2F%2Fa.test%2F";
      assertThat(right.fetch("GET", target).text()).contains("203.0.113.9");
      assertThat(service.requests()).hasSize(1);

      assertThat(wrong.fetch("GET", target).status()).isEqualTo(503);
      assertThat(wrong.fetch("GET", PATH).status()).isEqualTo(200);
      assertThat(service.requests()).hasSize(2);
    }
  }

  private Process start(String program, int port, String... arguments) throws IOException {
    Process process =
        ExternalProgram.required(program)
            .start(directory.resolve("out"), directory.resolve("err"), arguments);
    Await.until(program + " to listen", Duration.ofSeconds(10), () -> listens(port));
    return process;
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  void tellsWhatTheSettingSays() throws IOException {
    PublicIpConfig fixed = new PublicIpConfig(Optional.of("198.51.100.7"), List.of());
    try (RunningMillrace millrace =
        RunningMillrace.start(settings -> settings.password("pw").publicIp(fixed))) {
      assertThat(millrace.fetch("GET", PATH).text()).isEqualTo("{\"ip\":\"198.51.100.7\"}");
    }
  }
}
