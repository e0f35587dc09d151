package dev.millrace.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.ScriptedSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;
import org.junit.jupiter.api.Test;

class BodyStartTest implements BodyStart.Listener {
  private final ScriptedSource source = new ScriptedSource();
  private String seen = "nothing";
  private String failure = "none";
  private Content.Source body = Content.Source.from(ByteBuffer.allocate(0));

  @Override
  public void begun(ByteBuffer start, Content.Source whole) {
    seen = ISO_8859_1.decode(start).toString();
    body = whole;
  }

  @Override
  public void failed(Throwable cause) {
    failure = String.valueOf(cause.getMessage());
  }

  private String rest() throws IOException {
    return Content.Source.asString(body, ISO_8859_1);
  }

  @Test
  void isContentWithTheFirstBytes() throws IOException {
    BodyStart.readFirst(source, this);
    source.add("").add("ab");
    assertThat(seen).isEqualTo("ab");

    source.addLast("cd");
    assertThat(rest()).isEqualTo("abcd");
    assertThat(source.held()).isZero();
  }

  @Test
  void readsOn_untilTheJudgeHasSeenEnough() throws IOException {
    BodyStart.read(source, 100, (start, isAll) -> start.remaining() >= 5, this);
    source.add("ab").add("cd");
    assertThat(seen).isEqualTo("nothing");

    source.add("ef").addLast("g");

    assertThat(seen).isEqualTo("abcdef");
    assertThat(rest()).isEqualTo("abcdefg");
    assertThat(source.held()).isZero();
  }

  @Test
  void stopsAtTheLimit_whateverTheJudgeSays() {
    BodyStart.read(source, 4, (start, isAll) -> false, this);
    source.add("abc");
    assertThat(seen).isEqualTo("nothing");

    source.add("d");

    assertThat(seen).isEqualTo("abcd");
  }

  @Test
  void showsAllThereIs_whenTheBodyEnds() throws IOException {
    BodyStart.read(source, 100, (start, isAll) -> false, this);
    source.add("ab").add("c").end();

    assertThat(seen).isEqualTo("abc");
    assertThat(rest()).isEqualTo("abc");
  }

  @Test
  void showsAnEmptyBody() throws IOException {
    BodyStart.readFirst(source.end(), this);

    assertThat(seen).isEmpty();
    assertThat(rest()).isEmpty();
  }

  @Test
  void tellsOfAFailure() {
    BodyStart.read(source, 100, (start, isAll) -> false, this);
    source.add("ab");
    source.fail(new IOException("cut"));

    assertThat(failure).isEqualTo("cut");
    assertThat(source.held()).isZero();
  }
}
