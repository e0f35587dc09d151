package dev.millrace.servlet;

import dev.millrace.proxy.LinkRefusedException;
import dev.millrace.proxy.OriginStatusException;
import dev.millrace.proxy.ResponsePlan;
import dev.millrace.proxy.ValidationException;
import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.ExchangeException.Hop;
import dev.millrace.upstream.Headers;
import java.io.StringWriter;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** The only place where a failure becomes a status and a text. */
final class ErrorMapper {
  private static final Logger LOG = LoggerFactory.getLogger(ErrorMapper.class);
  private static final JsonFactory JSON = new JsonFactory();
  private static final int BAD_GATEWAY = 502;
  private static final String INTERNAL_ERROR = "internal_error";

  private ErrorMapper() {}

  /** The short code under which {@code failure} is counted and logged. */
  static String reason(Throwable failure) {
    return failure instanceof ExchangeException known ? known.reason() : INTERNAL_ERROR;
  }

  /**
   * Finds the words for {@code failure}; what is not meant for clients is logged, and they get a
   * text that says nothing.
   *
   * @param requestId by which the log can be searched
   */
  static ErrorAnswer answer(Throwable failure, String requestId) {
    if (failure instanceof ValidationException validation) {
      return new ErrorAnswer(validation.status(), ResponsePlan.SAFETY, detailList(validation));
    }
    if (failure instanceof LinkRefusedException refused) {
      LOG.info("Request {}: its link was refused: {}", requestId, refused.logWord());
      return new ErrorAnswer(refused.status(), ResponsePlan.SAFETY, error(refused));
    }
    if (failure instanceof ExchangeException known) {
      String json =
          detail(String.valueOf(known.getMessage()), known.reason(), known.hop(), requestId);
      return new ErrorAnswer(known.status(), headers(known), json);
    }
    LOG.warn("Request {} failed unexpectedly", requestId, failure);
    String json = detail("The request could not be served.", INTERNAL_ERROR, Hop.PROXY, requestId);
    return new ErrorAnswer(BAD_GATEWAY, ResponsePlan.SAFETY, json);
  }

  /** An answer that is no failure of anything: unknown paths, wrong methods. */
  static ErrorAnswer plain(int status, String detail) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeStringProperty("detail", detail);
      json.writeEndObject();
    }
    return new ErrorAnswer(status, ResponsePlan.SAFETY, text.toString());
  }

  /** One text for every cause, and nothing else, as clients know it. */
  private static String error(LinkRefusedException refused) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeStringProperty("error", refused.getMessage());
      json.writeEndObject();
    }
    return text.toString();
  }

  private static Headers headers(ExchangeException failure) {
    Headers headers = ResponsePlan.SAFETY;
    if (failure.retryAfter().isPresent()) {
      headers = headers.with("Retry-After", Long.toString(failure.retryAfter().get().toSeconds()));
    }
    if (failure instanceof OriginStatusException origin) {
      headers = headers.with(origin.headers());
    }
    return headers;
  }

  private static String detail(String detail, String reason, Hop hop, String requestId) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeStringProperty("detail", detail);
      json.writeStringProperty("reason", reason);
      json.writeStringProperty("hop", hop.name().toLowerCase(Locale.ROOT));
      json.writeStringProperty("request_id", requestId);
      json.writeEndObject();
    }
    return text.toString();
  }

  private static String detailList(ValidationException failure) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeArrayPropertyStart("detail");
      json.writeStartObject();
      json.writeStringProperty("type", failure.type());
      json.writeArrayPropertyStart("loc");
      for (Object step : failure.loc()) {
        if (step instanceof Number index) {
          json.writeNumber(index.longValue());
        } else {
          json.writeString(step.toString());
        }
      }
      json.writeEndArray();
      json.writeStringProperty("msg", failure.msg());
      json.writeName("input");
      json.writeString(failure.input().orElse(null));
      json.writeEndObject();
      json.writeEndArray();
      json.writeEndObject();
    }
    return text.toString();
  }
}
