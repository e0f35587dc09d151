package dev.millrace.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import dev.millrace.link.LinkFormat;
import dev.millrace.link.LinkRights;
import dev.millrace.link.LinkTokens;
import dev.millrace.link.ProxyLink;
import dev.millrace.testing.Await;
import dev.millrace.testing.CompatibleToken;
import dev.millrace.testing.CutFilm;
import dev.millrace.testing.MillraceProcess;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every secret that the program as it is shipped is given here has {@code hush} in it, and nothing
 * that it writes has: log (the most talkative), answers, metrics, sessions, JMX, thread names,
 * {@code --print-config} (report A09, faults F9, F14).
 */
@Timeout(120)
class SecretsIT {
  private static final String PASSWORD = "hush-password";
  private static final String SECRET = "hush-link-secret-0123456789";
  private static final String PROXY = "http://hush-user:hush-proxy@127.0.0.1:1";
  private static final String ROUTES = "{\"all://*.test\": {\"proxy\": true}}";
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir private Path directory;

  @Test
  void writesNoSecretAnywhere() throws Exception {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(1_000));
        OriginServer cut = OriginServer.start(new CutFilm(300_000, "ETag: \"a\"", 1_000));
        OriginServer moved = OriginServer.start(ToyOrigins.redirect("http://nx.invalid/hush"));
        OriginServer failing = OriginServer.start(ToyOrigins.statusByPath());
        MillraceProcess millrace =
            MillraceProcess.start(
                "HOST=127.0.0.1",
                "LOG_LEVEL=DEBUG",
                "API_PASSWORD=" + PASSWORD,
                "LINK_SECRET=" + SECRET,
                "PROXY_URL=" + PROXY,
                "TRANSPORT_ROUTES=" + ROUTES)) {
      List<String> destinations = new ArrayList<>();
      destinations.add(origin.url("/live/hush/hush/1.ts?sig=hush").replace("//", "//hush:hush@"));
      destinations.add(cut.url("/hush"));
      destinations.add(moved.url("/hush"));
      for (String status : new String[] {"401", "404", "429", "500", "503"}) {
        destinations.add(failing.url("/hush/" + status));
      }
      destinations.add("http://a.test/hush");
      destinations.add("http://nx.invalid/hush");
      destinations.add("http://127.0.0.1:1/hush");
      destinations.add("http://10.0.0.1/hush");
      destinations.add("http://hush:hush@10.0.0.1:hush/");
      int asked = 0;
      for (String destination : destinations) {
        for (String target : targets(destination)) {
          tell(millrace, "GET", target);
          tell(millrace, "HEAD", target);
          asked += 2;
        }
      }
      asked += askOddly(millrace);
      int lines = asked;
      Await.until("all is logged", SOON, () -> count(millrace.log(), "outcome=") >= lines);
      assertThat(millrace.log()).contains("outcome=complete").doesNotContainIgnoringCase("hush");
      assertThat(view(millrace, "/metrics")).contains("requests").doesNotContain("hush");
      assertThat(view(millrace, "/sessions")).contains("total").doesNotContain("hush");
      assertThat(jmx(millrace)).contains("dev.millrace:").doesNotContain("hush");
    }
  }

  private static int count(String text, String word) {
    return text.split(word, -1).length - 1;
  }

  /** With the password in the query, wrong ones, and links: whole, cut, of both formats. */
  private static List<String> targets(String destination) {
    Map<String, String> film =
        Map.of("d", destination, "h_authorization", "Bearer hush", "h_cookie", "a=hush");
    StreamLink plain =
        StreamLink.to(destination).with("h_authorization", "Bearer hush").with("h_x", "hush");
    String own = token(LinkFormat.V2, film);
    String other = token(LinkFormat.COMPATIBLE, film);
    return List.of(
        plain.with("api_password", PASSWORD).toString(),
        plain.with("api_password", "hush").toString(),
        "/_token_" + own + "/proxy/stream/a.mp4?hush=hush",
        "/_token_" + own + "/proxy/hls/hush",
        "/_token_" + own.substring(0, own.length() - 2) + "/proxy/stream",
        "/proxy/stream?token=" + other,
        "/_token_" + other + "/hush/hush/1");
  }

  private static String token(LinkFormat format, Map<String, String> film) {
    return new LinkTokens(PASSWORD, List.of(SECRET), format, true)
        .seal(new ProxyLink(film, LinkRights.UNLIMITED));
  }

  private static int askOddly(MillraceProcess millrace) throws IOException {
    List<String> targets =
        List.of(
            "/live/hush/hush/1.ts",
            "/hush/hush/1.ts",
            "/player_api.php?username=hush&password=hush",
            "/hls/hush/1.m3u8?upstream=hush&api_password=" + PASSWORD,
            "/proxy/stream?api_password=" + PASSWORD + "&d=http%3A%2F%2Fa%2F&live=true&h_%0a=hush",
            "/proxy/stream?api_password=" + PASSWORD + "&d=%zzhush",
            "/_token_" + CompatibleToken.seal("hush", "{\"a\":\"hush\"}") + "/hush",
            "/_token_" + CompatibleToken.seal(PASSWORD, "{\"hush\":[1]}") + "/proxy/stream",
            "/_token_hush");
    for (String target : targets) {
      tell(millrace, "GET", target, "Cookie: hush", "Authorization: Bearer hush", "Referer: hush");
      tell(millrace, "POST", target, "Content-Length: 0", "api_password: hush");
    }
    return 2 * targets.size();
  }

  /** The answer has none either. */
  private static void tell(MillraceProcess millrace, String method, String target, String... fields)
      throws IOException {
    RawAnswer answer = RawHttp.fetch(millrace.port(), method, target, fields);
    assertThat(answer.head() + answer.text()).as(target).doesNotContain("hush");
  }

  private static String view(MillraceProcess millrace, String path) throws IOException {
    return RawHttp.fetch(millrace.port(), "GET", path, "api_password: " + PASSWORD).text();
  }

  /** Names and values of all that is ours, and the names of the threads. */
  @SuppressWarnings("BanJNDI") // the address is of our own process
  private static String jmx(MillraceProcess millrace) throws Exception {
    VirtualMachine machine = VirtualMachine.attach(Long.toString(millrace.pid()));
    String address = machine.startLocalManagementAgent();
    machine.detach();
    StringBuilder all = new StringBuilder();
    try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(address))) {
      MBeanServerConnection jmx = connector.getMBeanServerConnection();
      for (ObjectName name : jmx.queryNames(new ObjectName("dev.millrace:*"), null)) {
        all.append(name).append('\n');
        for (MBeanAttributeInfo attribute : jmx.getMBeanInfo(name).getAttributes()) {
          all.append(jmx.getAttribute(name, attribute.getName())).append('\n');
        }
      }
      ThreadMXBean threads =
          ManagementFactory.newPlatformMXBeanProxy(
              jmx, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
      for (ThreadInfo thread : threads.dumpAllThreads(false, false)) {
        all.append(thread.getThreadName()).append('\n');
      }
    }
    return all.toString();
  }

  @Test
  void printsTheConfigurationWithoutThem() throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of("target/millrace/bin/millrace").toAbsolutePath().toString(), "--print-config");
    builder.directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("API_PASSWORD", PASSWORD);
    builder.environment().put("LINK_SECRET", SECRET);
    builder.environment().put("PROXY_URL", PROXY);
    builder
        .environment()
        .put("TRANSPORT_ROUTES", "{\"all://a.test\": {\"proxy_url\": \"" + PROXY + "\"}}");
    Process process = builder.start();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).isZero();
    assertThat(printed)
        .contains("LINK_SECRET", "PROXY_URL", "TRANSPORT_ROUTES")
        .doesNotContain("hush");
  }
}
