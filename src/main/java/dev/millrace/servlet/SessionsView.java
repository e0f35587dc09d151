package dev.millrace.servlet;

import java.io.StringWriter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The streams that run, as JSON: {@code total} is how many there are, {@code total_bytes} what they
 * and all before them have moved, {@code sessions} the oldest {@value #MAX_LISTED} of them.
 */
public final class SessionsView implements View {
  private static final JsonFactory JSON = new JsonFactory();
  static final int MAX_LISTED = 1000;

  private final Sessions sessions;

  public SessionsView(Sessions sessions) {
    this.sessions = sessions;
  }

  @Override
  public Page page() {
    Sessions.Listing listing = sessions.list(MAX_LISTED);
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeNumberProperty("total", listing.total());
      json.writeNumberProperty("total_bytes", listing.totalBytes());
      json.writeArrayPropertyStart("sessions");
      listing.sessions().forEach(session -> write(json, session));
      json.writeEndArray();
      json.writeEndObject();
    }
    return Page.of(200, Page.JSON, text.toString());
  }

  private static void write(JsonGenerator json, Sessions.Session session) {
    Exchange exchange = session.exchange();
    json.writeStartObject();
    json.writeStringProperty("id", exchange.id());
    json.writeStringProperty("route", exchange.route());
    json.writeStringProperty("client", exchange.client());
    json.writeStringProperty("origin", exchange.origin());
    json.writeStringProperty("start", exchange.start().toString());
    json.writeStringProperty("state", session.state());
    json.writeNumberProperty("bytes", session.bytes());
    json.writeNumberProperty("bytes_per_second", session.bytesPerSecond());
    json.writeEndObject();
  }
}
