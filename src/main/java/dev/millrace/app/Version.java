package dev.millrace.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Which build this is, in whatever it is packed. */
final class Version {
  private Version() {}

  /** Such as {@code 1.2.3}; written by the build. */
  static String text() {
    try (InputStream resource = Version.class.getResourceAsStream("version.txt")) {
      return resource == null
          ? "(unpackaged)"
          : new String(resource.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
