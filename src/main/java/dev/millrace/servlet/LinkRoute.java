package dev.millrace.servlet;

import dev.millrace.proxy.PublicAddress;
import dev.millrace.proxy.ValidationException;
import dev.millrace.stream.ExchangeException;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** {@code /generate_url} and its kind: a JSON form comes, links go. */
public final class LinkRoute implements Route {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int OK = 200;

  private interface Form {
    LinkForm read(String json, PublicAddress own) throws ValidationException;
  }

  private interface Answer {
    void write(JsonGenerator json, List<String> links);
  }

  private final Form form;
  private final Answer answer;
  private final LinkMaker maker;
  private final AnswerServices services;

  private LinkRoute(Form form, Answer answer, LinkMaker maker, AnswerServices services) {
    this.form = form;
    this.answer = answer;
    this.maker = maker;
    this.services = services;
  }

  /**
   * One link.
   *
   * @param name of the property that holds it in the answer
   */
  public static LinkRoute one(String name, LinkMaker maker, AnswerServices services) {
    return new LinkRoute(
        LinkForm::one,
        (json, links) -> json.writeStringProperty(name, links.get(0)),
        maker,
        services);
  }

  /** Many, as {@code urls}. */
  public static LinkRoute many(LinkMaker maker, AnswerServices services) {
    return new LinkRoute(LinkForm::many, LinkRoute::writeAll, maker, services);
  }

  private static void writeAll(JsonGenerator json, List<String> links) {
    json.writeArrayPropertyStart("urls");
    links.forEach(json::writeString);
    json.writeEndArray();
  }

  @Override
  public void serve(RouteRequest request) throws ExchangeException, IOException {
    RequestText.read(request, services, text -> page(request, text));
  }

  private Page page(RouteRequest request, String text) throws ExchangeException {
    LinkForm wanted = form.read(text, request.arrival().publicAddress());
    List<String> links = maker.make(wanted, request.arrival().caller());
    StringWriter written = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), written)) {
      json.writeStartObject();
      answer.write(json, links);
      json.writeEndObject();
    }
    return Page.of(OK, Page.JSON, written.toString());
  }
}
