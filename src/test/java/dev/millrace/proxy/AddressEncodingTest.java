package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.stream.ByteBuilder;
import dev.millrace.upstream.BadTargetException;
import dev.millrace.upstream.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressEncodingTest {
  private final AddressEncoding encoding = new AddressEncoding();

  private String encoded(String bytes) {
    ByteBuilder out = new ByteBuilder(16);
    encoding.append(new ByteBuilder(16).append(bytes.getBytes(ISO_8859_1)), out);
    return out.toString();
  }

  /** What a request for the encoded address asks the origin for. */
  private String asked(String bytes) throws BadTargetException {
    return Target.parse(encoding.text(new ByteBuilder(16).append(bytes.getBytes(ISO_8859_1))))
        .requestTarget();
  }

  @ParameterizedTest
  @CsvSource({
    "a-b._~, a-b._~",
    "http://h/?a=b&c, http%3A%2F%2Fh%2F%3Fa%3Db%26c",
    "a b+c, a%20b%2Bc",
    "%41, %2541",
    "100%, 100%2525",
    "%4, %25254",
    "'{|}\"', %7B%7C%7D%22",
    "\u00c3\u00a9, %C3%A9",
    "\u00e9, %25E9",
  })
  void encodesWhatNeedsIt(String bytes, String expected) {
    assertThat(encoded(bytes)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "http://h/a%2Fb?x=%41, /a%2Fb?x=%41",
    "http://h/100%.ts, /100%25.ts",
    "http://h/\u00c3\u00a9, /%C3%A9",
    "http://h/\u00e9\u00c3, /%E9%C3",
    "http://h/a b, /a%20b",
  })
  void originGetsTheSameBytes(String bytes, String target) throws BadTargetException {
    assertThat(asked(bytes)).isEqualTo(target);
  }

  @Test
  void encodesControlCharactersForTheOrigin() throws BadTargetException {
    assertThat(asked("http://h/a\tb\u007f")).isEqualTo("/a%09b%7F");
  }
}
