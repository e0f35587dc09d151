package dev.millrace.testing;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** A whole answer with a small body. */
public record RawAnswer(RawHead head, ReceivedBody body) {
  public int status() {
    return head.status();
  }

  public Optional<String> field(String name) {
    return head.field(name);
  }

  public List<String> fields(String name) {
    return head.fields(name);
  }

  public byte[] bytes() {
    return body.bytes();
  }

  public String text() {
    return new String(body.bytes(), StandardCharsets.UTF_8);
  }

  public BodyEnd end() {
    return body.end();
  }
}
