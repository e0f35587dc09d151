package dev.millrace.app;

import dev.millrace.config.ConfigReader;
import dev.millrace.config.LoadedConfig;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * Starts the server, has it answer, and stops it: the run from which the build makes the class-data
 * archive of the distribution.
 */
final class WarmUp {
  private WarmUp() {}

  /** Fails the build if the server does not answer. */
  public static void main(String... args) throws Exception {
    Arguments arguments = Arguments.parse("serve", "--port", "0", "--log-level", "WARN");
    Main.logger(ConfigReader.ofCommandLine(arguments.settings()).read());
    try (DemoOrigin origin = DemoOrigin.start()) {
      Arguments all = arguments.withDefault("ALLOW_TARGETS", origin.authority());
      LoadedConfig loaded = ConfigReader.ofCommandLine(all.settings()).read();
      try (StandaloneServer millrace = new StandaloneServer(loaded.config())) {
        millrace.start();
        URI clip = origin.clipThrough(millrace.uri());
        expect("HTTP/1.1 200", ask("GET", "", clip));
        expect("HTTP/1.1 206", ask("GET", "Range: bytes=100-199\r\n", clip));
        ask("HEAD", "", clip);
        ask("GET", "", clip.resolve("/proxy/stream?d=http%3A%2F%2F127.0.0.1%3A1%2F"));
      }
    }
  }

  private static String ask(String method, String fields, URI uri) throws IOException {
    String request =
        method
            + " "
            + uri.getRawPath()
            + "?"
            + uri.getRawQuery()
            + " HTTP/1.1\r\nHost: "
            + uri.getRawAuthority()
            + "\r\nConnection: close\r\n"
            + fields
            + "\r\n";
    try (Socket socket = new Socket(uri.getHost(), uri.getPort());
        InputStream answer = socket.getInputStream()) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(answer.readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  private static void expect(String start, String answer) {
    if (!answer.startsWith(start)) {
      throw new IllegalStateException(
          "expected " + start + ", got " + answer.lines().findFirst().orElse("nothing"));
    }
  }
}
