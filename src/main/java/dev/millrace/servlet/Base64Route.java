package dev.millrace.servlet;

import dev.millrace.proxy.Base64Address;
import dev.millrace.proxy.ValidationException;
import dev.millrace.servlet.JsonFields.Kind;
import dev.millrace.servlet.JsonFields.Shape;
import dev.millrace.stream.ExchangeException;
import java.io.IOException;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * {@code /base64/…}: addresses to base64 and back (contract §7). What is to be converted stands in
 * the query; with POST it may stand in a JSON body instead.
 */
public final class Base64Route implements Route {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;

  private interface Conversion {
    Page answer(String given);
  }

  private final String parameter;
  private final Conversion conversion;
  private final Optional<AnswerServices> bodies;

  private Base64Route(String parameter, Conversion conversion, Optional<AnswerServices> bodies) {
    this.parameter = parameter;
    this.conversion = conversion;
    this.bodies = bodies;
  }

  /** {@code url}, any text, to base64url without padding. */
  public static Base64Route encode(AnswerServices services) {
    return new Base64Route("url", Base64Route::encoded, Optional.of(services));
  }

  /** {@code encoded_url} to the address inside; 400 if there is none. */
  public static Base64Route decode(AnswerServices services) {
    return new Base64Route("encoded_url", Base64Route::decoded, Optional.of(services));
  }

  /** Whether {@code url}, of the query only, is an address in base64. */
  public static Base64Route check() {
    return new Base64Route("url", Base64Route::checked, Optional.empty());
  }

  @Override
  public void serve(RouteRequest request) throws ExchangeException, IOException {
    Optional<String> given = given(request);
    if (given.isPresent()) {
      conversion.answer(given.get()).send(request.clientRequest(), request.proxyResponse());
    } else if (bodies.isPresent()) {
      RequestText.read(request, bodies.get(), text -> conversion.answer(inBody(text)));
    } else {
      throw ValidationException.missing(parameter);
    }
  }

  /** What a link carries is not shown to whoever uses it. */
  private Optional<String> given(RouteRequest request) {
    return request.grant().rights().isPresent()
        ? Optional.empty()
        : request.query().value(parameter).filter(text -> !text.isEmpty());
  }

  private String inBody(String text) throws ValidationException {
    if (text.isBlank()) {
      throw ValidationException.missing(parameter);
    }
    return JsonFields.parse(text, new Shape(Map.of(parameter, Kind.TEXT), Map.of()))
        .text(parameter)
        .orElseThrow(() -> ValidationException.missing(parameter));
  }

  private static Page encoded(String url) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("encoded_url", Base64Address.encode(url));
    answer.put("original_url", url);
    return page(answer);
  }

  private static Page decoded(String encodedUrl) {
    Optional<String> url = Base64Address.decode(encodedUrl);
    if (url.isEmpty()) {
      return Page.of(BAD_REQUEST, Page.JSON, "{\"detail\":\"Invalid base64 encoded URL\"}");
    }
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("decoded_url", url.get());
    answer.put("encoded_url", encodedUrl);
    return page(answer);
  }

  private static Page checked(String url) {
    Optional<String> decoded = Base64Address.decode(url);
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("url", url);
    answer.put("is_base64", decoded.isPresent());
    decoded.ifPresent(inside -> answer.put("decoded_url", inside));
    return page(answer);
  }

  private static Page page(Map<String, Object> properties) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      properties.forEach(
          (name, value) -> {
            if (value instanceof Boolean is) {
              json.writeBooleanProperty(name, is);
            } else {
              json.writeStringProperty(name, value.toString());
            }
          });
      json.writeEndObject();
    }
    return Page.of(OK, Page.JSON, text.toString());
  }
}
