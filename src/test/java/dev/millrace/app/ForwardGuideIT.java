package dev.millrace.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.ExternalProgram.Outcome;
import dev.millrace.testing.Guide;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RecordedRequest;
import dev.millrace.testing.RunningMillrace;
import java.io.IOException;
import java.net.URLEncoder;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What docs/forward.md shows is typed, with this machine in place of its names. */
@Timeout(60)
class ForwardGuideIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  @Test
  void theCommandSendsWhatIsSaid() throws IOException {
    ExternalProgram.required("curl");
    try (RunningMillrace proxy = RunningMillrace.start(settings -> settings.password("secret"));
        OriginServer origin =
            OriginServer.start(exchange -> exchange.bytes(200, exchange.requestBody()))) {
      String command =
          Guide.example("forward.md", "sh", "curl")
              .replace("127.0.0.1:8888", "127.0.0.1:" + proxy.port())
              .replace("https%3A%2F%2Fapi.example", URLEncoder.encode(origin.url(""), UTF_8));
      Outcome typed = ExternalProgram.required("sh").run(SOON, "-c", command);
      RecordedRequest request = origin.requests().get(0);

      assertThat(typed.output()).isEqualTo("{\"ip\":\"203.0.113.9\"}");
      assertThat(request.method()).isEqualTo("POST");
      assertThat(request.target()).isEqualTo("/v1/link");
      assertThat(request.field("authorization")).contains("Bearer abc");
      assertThat(request.field("content-type")).contains("application/json");
    }
  }
}
