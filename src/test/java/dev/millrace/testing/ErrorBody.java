package dev.millrace.testing;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON of a refused request.
 *
 * @param detail what a person reads
 * @param reason what a program reads
 * @param hop where it happened
 * @param requestId what the log can be searched for
 */
public record ErrorBody(String detail, String reason, String hop, String requestId) {
  private static final JsonMapper JSON = new JsonMapper();

  /** Fails unless the answer is JSON with all four members. */
  public static ErrorBody of(RawAnswer answer) {
    JsonNode body = json(answer);
    return new ErrorBody(
        text(body, "detail"), text(body, "reason"), text(body, "hop"), text(body, "request_id"));
  }

  /** The whole body, for answers of another shape. */
  public static JsonNode json(RawAnswer answer) {
    if (!answer.field("Content-Type").orElse("").startsWith("application/json")) {
      throw new AssertionError("not JSON: " + answer.head() + "\n" + answer.text());
    }
    return JSON.readTree(answer.text());
  }

  private static String text(JsonNode body, String name) {
    JsonNode value = body.path(name);
    if (!value.isString() || value.asString().isEmpty()) {
      throw new AssertionError("no " + name + " in " + body);
    }
    return value.asString();
  }
}
