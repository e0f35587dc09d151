package dev.millrace.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proxy.OriginStatusException;
import dev.millrace.proxy.ResponsePlan;
import dev.millrace.proxy.ValidationException;
import dev.millrace.stream.OverBudgetException;
import dev.millrace.upstream.BadTargetException;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.Target;
import dev.millrace.upstream.UpstreamException;
import dev.millrace.upstream.UpstreamException.Kind;
import dev.millrace.upstream.UpstreamHead;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorMapperTest {
  private static final String ID = "00ff";

  private static ErrorAnswer origin(int status, String... fields) throws BadTargetException {
    Target target = Target.parse("http://secret.example/path?key=k");
    return ErrorMapper.answer(
        OriginStatusException.of(new UpstreamHead(status, Headers.of(fields), target)), ID);
  }

  @Test
  void tellsStatusReasonHopAndId() {
    ErrorAnswer answer = ErrorMapper.answer(new UpstreamException(Kind.UPSTREAM_TIMEOUT), ID);

    assertThat(answer.status()).isEqualTo(504);
    assertThat(answer.json())
        .isEqualTo(
            "{\"detail\":\"The origin did not answer in time.\",\"reason\":\"upstream_timeout\","
                + "\"hop\":\"origin\",\"request_id\":\"00ff\"}");
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void tellsEveryFailureOfAnOriginAsAGatewayDoes(Kind kind) {
    ErrorAnswer answer =
        ErrorMapper.answer(
            new UpstreamException(kind, new IOException("http://secret.example/")), ID);

    assertThat(answer.status()).isIn(502, 504);
    assertThat(answer.json()).doesNotContain("secret");
  }

  @Test
  void saysWhenToComeBack_whenALimitIsReached() {
    ErrorAnswer answer = ErrorMapper.answer(new OverBudgetException("origin_busy", "busy"), ID);

    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.headers().first("Retry-After")).contains("2");
    assertThat(answer.json()).contains("\"hop\":\"proxy\"");
  }

  @ParameterizedTest
  @CsvSource({
    "400, 400", "401, 502", "403, 403", "404, 404", "407, 502", "410, 410", "416, 416",
    "429, 429", "451, 451", "500, 502", "501, 502", "502, 502", "503, 503", "504, 504",
    "509, 509", "304, 502", "302, 502"
  })
  void mapsTheStatusOfTheOrigin(int originStatus, int status) throws BadTargetException {
    ErrorAnswer answer = origin(originStatus);

    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.json()).contains("upstream_" + originStatus).doesNotContain("secret");
  }

  @Test
  void keepsFieldsOfTheOrigin_whichSayWhatToDo() throws BadTargetException {
    assertThat(origin(429, "Retry-After", "7").headers().first("Retry-After")).contains("7");
    assertThat(origin(416, "Content-Range", "bytes */9").headers().first("Content-Range"))
        .contains("bytes */9");
    assertThat(origin(404, "Set-Cookie", "a=b", "Location", "/").headers())
        .isEqualTo(ResponsePlan.SAFETY);
  }

  @Test
  void listsWhatIsMissing() {
    ErrorAnswer answer = ErrorMapper.answer(ValidationException.missing("d"), ID);

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.json())
        .isEqualTo(
            "{\"detail\":[{\"type\":\"missing\",\"loc\":[\"query\",\"d\"],"
                + "\"msg\":\"Field required\",\"input\":null}]}");
  }

  @Test
  void quotesWhatWasSentInstead() {
    ErrorAnswer answer = ErrorMapper.answer(ValidationException.notBoolean("x", "\"\n<"), ID);

    assertThat(answer.json()).contains("\"input\":\"\\\"\\n<\"");
  }

  @Test
  void quotesNothing_thatALinkHid() {
    ErrorAnswer answer =
        ErrorMapper.answer(ValidationException.notBoolean("x", "hush").withoutInput(), ID);

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.json()).contains("\"bool_parsing\"").contains("\"input\":null");
  }

  @Test
  void saysNothing_whenTheFailureIsUnknown() {
    ErrorAnswer answer =
        ErrorMapper.answer(new IllegalStateException("http://secret.example/?key=k"), ID);

    assertThat(answer.status()).isEqualTo(502);
    assertThat(answer.json())
        .isEqualTo(
            "{\"detail\":\"The request could not be served.\",\"reason\":\"internal_error\","
                + "\"hop\":\"proxy\",\"request_id\":\"00ff\"}");
  }

  @Test
  void secures_whateverItAnswers() {
    assertThat(ErrorMapper.answer(new IOException("x"), ID).headers())
        .isEqualTo(ResponsePlan.SAFETY);
    assertThat(ErrorMapper.plain(404, "Not Found"))
        .isEqualTo(new ErrorAnswer(404, ResponsePlan.SAFETY, "{\"detail\":\"Not Found\"}"));
  }
}
