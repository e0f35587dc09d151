package dev.millrace.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.metrics.Metrics;
import dev.millrace.proxy.Arrival;
import dev.millrace.proxy.Caller;
import dev.millrace.proxy.Endpoint;
import dev.millrace.proxy.FrontEndConfig;
import dev.millrace.proxy.FrontEnds;
import dev.millrace.proxy.Grant;
import dev.millrace.proxy.PublicAddress;
import dev.millrace.proxy.QueryParameters;
import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.MemoryBudget;
import dev.millrace.testing.Await;
import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHead;
import dev.millrace.testing.RawHttp;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies of requests at their limits, and senders that do not mean well. */
@Timeout(60)
class RequestTextIT {
  private static final Duration AT_MOST = Duration.ofSeconds(2);
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final int THREADS = 8;
  private static final int MAX = RequestText.MAX_BYTES;
  private static final int BIG_ANSWER = 6_000_000;

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final MemoryBudget texts = new MemoryBudget(8 << 20);
  private final AnswerServices services =
      new AnswerServices(
          new ExchangeLog(Metrics.NONE, false, System::nanoTime), texts, timer, AT_MOST);
  private final Server server = new Server(new QueuedThreadPool(THREADS));
  private final ServerConnector connector = new ServerConnector(server, 1, 1);

  /** Answers how much has come; to "big" something big. */
  private final class Echo extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest clientRequest, HttpServletResponse proxyResponse)
        throws IOException {
      try {
        RouteRequest request =
            new RouteRequest(
                Endpoint.match("/generate_url").orElseThrow(),
                new Grant(QueryParameters.parse(null), Optional.empty()),
                new Arrival(new Caller("127.0.0.1", false), new PublicAddress("http://h", "")),
                clientRequest,
                proxyResponse,
                Exchange.of(clientRequest));
        RequestText.read(request, services, Echo::answer);
      } catch (ExchangeException e) {
        ErrorMapper.answer(e, "0").send(clientRequest, proxyResponse);
      }
    }

    private static Page answer(String text) {
      String answer = text.equals("big") ? "x".repeat(BIG_ANSWER) : "got " + text.length();
      return Page.of(200, Page.PLAIN, answer);
    }
  }

  @BeforeEach
  void start() {
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler();
    ExchangeFilter filter =
        new ExchangeFilter(
            FrontEnds.of(FrontEndConfig.defaults(), System::nanoTime),
            services.log(),
            new Sessions(System::nanoTime),
            Clock.systemUTC(),
            System::nanoTime);
    FilterHolder exchanges = new FilterHolder(filter);
    exchanges.setAsyncSupported(true);
    context.addFilter(exchanges, "/*", EnumSet.of(DispatcherType.REQUEST));
    context.addServlet(async(new AbortServlet()), AbortServlet.PATH);
    context.addServlet(async(new Echo()), "/");
    server.setHandler(context);
    LifeCycle.start(server);
  }

  private static ServletHolder async(HttpServlet servlet) {
    ServletHolder holder = new ServletHolder(servlet);
    holder.setAsyncSupported(true);
    return holder;
  }

  @AfterEach
  void stop() {
    LifeCycle.stop(server);
    timer.shutdownNow();
  }

  private RawHttp connect() throws IOException {
    return RawHttp.connect(connector.getLocalPort());
  }

  private RawAnswer post(String body, String... fields) throws IOException {
    try (RawHttp client = connect()) {
      client.request("POST", "/", fields);
      client.send(body);
      return client.answer("POST");
    }
  }

  private RawAnswer post(String body) throws IOException {
    return post(body, "Content-Length: " + body.length());
  }

  private void assertEverythingGivenBack() {
    Await.until("memory given back", SOON, () -> texts.reservedBytes() == 0);
  }

  // what comes whole

  @Test
  void readsBodies_ofEveryFraming() throws IOException {
    String utf8 = new String("né€😀".getBytes(UTF_8), ISO_8859_1);

    assertThat(post(utf8).text()).isEqualTo("got 5");
    assertThat(post("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", "Transfer-Encoding: chunked").text())
        .isEqualTo("got 5");
    assertThat(post("", "Content-Length: 0").text()).isEqualTo("got 0");
    assertThat(post("").text()).isEqualTo("got 0");
    assertThat(post(new String(("\uFEFF" + "ab").getBytes(UTF_8), ISO_8859_1)).text())
        .isEqualTo("got 2");
    assertEverythingGivenBack();
  }

  @Test
  void readsNothing_whenNoBodyIsAnnounced() throws IOException {
    assertThat(post("", "X: y").text()).isEqualTo("got 0");
  }

  @Test
  void readsBytesOneByOne() throws IOException {
    try (RawHttp client = connect()) {
      client.request("POST", "/", "Content-Length: 100");
      for (int i = 0; i < 100; i++) {
        client.send("a");
      }
      assertThat(client.answer("POST").text()).isEqualTo("got 100");
    }
  }

  @Test
  void asksForTheBody_whenTheClientWaitsForThat() throws IOException {
    try (RawHttp client = connect()) {
      client.request("POST", "/", "Content-Length: 3", "Expect: 100-continue");
      assertThat(client.head().status()).isEqualTo(100);
      client.send("abc");
      assertThat(client.answer("POST").text()).isEqualTo("got 3");
    }
  }

  @Test
  void keepsTheConnection() throws IOException {
    try (RawHttp client = connect()) {
      for (int i = 0; i < 3; i++) {
        client.request("POST", "/", "Content-Length: 3");
        client.send("abc");
        assertThat(client.answer("POST").text()).isEqualTo("got 3");
      }
    }
  }

  // limits

  @Test
  void takesOneMebibyte() throws IOException {
    assertThat(post("a".repeat(MAX)).text()).isEqualTo("got " + MAX);
    assertEverythingGivenBack();
  }

  @Test
  void refusesOneByteMore_beforeItComes() throws IOException {
    RawAnswer answer = post("", "Content-Length: " + (MAX + 1));

    assertThat(answer.status()).isEqualTo(413);
    assertThat(ErrorBody.of(answer).detail())
        .isEqualTo("body: too long (expected: at most 1048576 bytes)");
  }

  @Test
  void refusesOneByteMore_whenItWasNotAnnounced() throws IOException {
    try (RawHttp client = connect()) {
      client.request("POST", "/", "Transfer-Encoding: chunked");
      client.send(Integer.toHexString(MAX + 1) + "\r\n" + "a".repeat(MAX));
      client.send("a");
      RawAnswer answer = client.answer("POST");

      assertThat(answer.status()).isEqualTo(413);
      assertThat(answer.field("Connection")).contains("close");
      assertThat(client.isClosedWithin(5_000)).isTrue();
    }
    assertEverythingGivenBack();
  }

  @Test
  void refusesWhatIsNoText() throws IOException {
    for (String bytes : List.of("\u00ff", "\u00c3", "\u00c0\u0080", "\u00ed\u00a0\u0080")) {
      RawAnswer answer = post(bytes);

      assertThat(answer.status()).isEqualTo(400);
      assertThat(ErrorBody.of(answer).detail()).isEqualTo("body: not text (expected: UTF-8)");
    }
  }

  @Test
  void refusesBodies_whenAllMemoryIsTaken() throws Exception {
    texts.reserve(texts.limitBytes() - 1);
    RawAnswer answer = post("abc");
    texts.release(texts.limitBytes() - 1);

    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.field("Retry-After")).contains("2");
    assertEverythingGivenBack();
    assertThat(post("abc").text()).isEqualTo("got 3");
  }

  // senders that do not mean well

  @Test
  void refusesBodies_thatAreNotCompleteInTime() throws IOException {
    try (RawHttp client = connect()) {
      client.request("POST", "/", "Content-Length: 100");
      client.send("a");
      RawAnswer answer = client.answer("POST");

      assertThat(answer.status()).isEqualTo(408);
      assertThat(ErrorBody.of(answer).reason()).isEqualTo("body_too_slow");
      assertThat(answer.field("Connection")).contains("close");
      assertThat(client.isClosedWithin(5_000)).isTrue();
    }
    assertEverythingGivenBack();
  }

  @Test
  void refusesBodies_whoseSenderIsSilentForTooLong() throws IOException {
    connector.setIdleTimeout(300);
    try (RawHttp client = connect()) {
      client.request("POST", "/", "Content-Length: 100");
      client.send("a");
      RawAnswer answer = client.answer("POST");

      assertThat(answer.status()).isEqualTo(408);
      assertThat(ErrorBody.of(answer).detail()).isEqualTo("body: nothing came for too long");
    }
    assertEverythingGivenBack();
  }

  /** Many more than there are threads. */
  @Test
  void servesOthers_whileManySendersDrip() throws IOException {
    List<RawHttp> dripping = new ArrayList<>();
    for (int i = 0; i < 10 * THREADS; i++) {
      RawHttp client = connect();
      client.request("POST", "/", "Content-Length: 100000");
      client.send("a");
      dripping.add(client);
    }
    for (int i = 0; i < 20; i++) {
      assertThat(post("abc").text()).isEqualTo("got 3");
      for (RawHttp client : dripping.subList(0, 20)) {
        client.send("a");
      }
    }
    for (RawHttp client : dripping) {
      assertThat(client.head().status()).isEqualTo(408);
      client.close();
    }
    assertEverythingGivenBack();
  }

  @ParameterizedTest
  @ValueSource(strings = {"5\r\nab", "ZZ\r\nab\r\n"})
  void refusesBodies_thatAreBroken(String chunks) throws IOException {
    try (RawHttp client = connect()) {
      client.request("POST", "/", "Transfer-Encoding: chunked");
      client.send(chunks);
      client.halfClose();
      assertThat(client.head().status()).isEqualTo(400);
    }
    assertEverythingGivenBack();
  }

  @Test
  void givesMemoryBack_whenSendersLeave() throws IOException {
    for (int i = 0; i < 20; i++) {
      try (RawHttp client = connect()) {
        client.request("POST", "/", "Content-Length: 100000");
        client.send("a".repeat(50_000));
        if (i % 2 == 0) {
          client.reset();
        }
      }
    }
    assertEverythingGivenBack();
    assertThat(post("abc").text()).isEqualTo("got 3");
  }

  // clients that do not take the answer

  @Test
  void sendsBigAnswers_toClientsThatReadSlowly() throws IOException {
    try (RawHttp client = RawHttp.connect(connector.getLocalPort(), 4_096)) {
      client.request("POST", "/", "Content-Length: 3");
      client.send("big");
      RawAnswer answer = client.answer("POST");

      assertThat(answer.bytes()).hasSize(BIG_ANSWER);
      assertThat(answer.end()).isEqualTo(BodyEnd.COMPLETE);
    }
    assertEverythingGivenBack();
  }

  @Test
  void breaksOff_whenTheAnswerIsNotTaken_andServesOthersMeanwhile() throws IOException {
    try (RawHttp client = RawHttp.connect(connector.getLocalPort(), 4_096)) {
      client.request("POST", "/", "Content-Length: 3");
      client.send("big");
      RawHead head = client.head();
      assertThat(post("abc").text()).isEqualTo("got 3");
      Await.until("broken off", SOON, () -> texts.reservedBytes() == 0);
      assertThat(client.body("POST", head).readAll().end().isAbort()).isTrue();
    }
  }
}
