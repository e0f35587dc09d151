package dev.millrace.testing;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads the line-based parts of HTTP/1.1 messages, RFC 9112 §2.2. */
final class Wire {
  private static final int MAX_LINE = 1 << 20;

  private Wire() {}

  /**
   * One line without its CRLF.
   *
   * @throws EOFException if the stream ends before the line does
   */
  static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(80);
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0 || line.size() > MAX_LINE) {
        throw new EOFException("inside a line of " + line.size() + " bytes");
      }
      line.write(b);
    }
    String text = line.toString(StandardCharsets.ISO_8859_1);
    return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
  }

  /** Lines up to and without the empty one. */
  static List<String> linesToBlank(InputStream in) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      lines.add(line);
    }
    return lines;
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
