package dev.millrace.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.link.LinkFormat;
import dev.millrace.link.LinkTokens;
import dev.millrace.link.LinkTokens.OpenedLink;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UrlCommandTest {
  private static final String PASSWORD = "a long password";
  private static final String SECRET = "a secret for tests only";
  private static final String FILM = "https://cdn.example/v.mp4";
  private static final LinkTokens TOKENS =
      new LinkTokens(PASSWORD, List.of(SECRET), LinkFormat.V2, true);

  @TempDir private Path directory;

  private record Finished(int status, String out, String err) {}

  private static Finished run(String input, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        new Main(
                new ByteArrayInputStream(input.getBytes(UTF_8)),
                new PrintStream(out, true, UTF_8),
                new PrintStream(err, true, UTF_8))
            .run(args);
    return new Finished(status, out.toString(UTF_8), err.toString(UTF_8));
  }

  /** On a server without a password. */
  private static Finished url(String... options) {
    List<String> args = new ArrayList<>(List.of("url"));
    args.addAll(List.of(options));
    return run("", args.toArray(String[]::new));
  }

  /** On a server with a password and a secret. */
  private static Finished sealed(String... options) {
    List<String> args = new ArrayList<>(List.of("--set", "API_PASSWORD=" + PASSWORD));
    args.addAll(List.of("--set", "LINK_SECRET=" + SECRET));
    args.addAll(List.of(options));
    return url(args.toArray(String[]::new));
  }

  private static OpenedLink opened(Finished finished) throws Exception {
    assertThat(finished).satisfies(f -> assertThat(f.status()).as(f.err()).isZero());
    return TOKENS.open(finished.out().replaceFirst("(?s).*/_token_([^/]+)/.*", "$1"));
  }

  @Test
  void makesAPlainLink_withoutAPassword() {
    assertThat(url(FILM))
        .isEqualTo(
            new Finished(
                0, "http://127.0.0.1:8888/proxy/stream?d=https%3A%2F%2Fcdn.example%2Fv.mp4\n", ""));
  }

  @Test
  void sealsTheLink_withAPassword() throws Exception {
    Finished finished = sealed(FILM);

    assertThat(finished.out())
        .matches("http://127\\.0\\.0\\.1:8888/_token_v2\\.[\\w-]+/proxy/stream\\R");
    assertThat(finished.err()).isEmpty();
    assertThat(opened(finished).link().parameters()).isEqualTo(Map.of("d", FILM));
    assertThat(opened(finished).link().rights().routeFamily()).contains("stream");
    assertThat(opened(finished).link().rights().expiry()).isEmpty();
  }

  @Test
  void takesEveryOption() throws Exception {
    Finished finished =
        sealed(
            "--proxy-url",
            "https://proxy.example/mfp/",
            "--endpoint",
            "/proxy/hls/manifest.m3u8",
            "--header",
            "Referer=https://site.example/?a=b",
            "--header",
            "Origin=https://site.example",
            "--response-header",
            "Cache-Control=no-cache",
            "--inherited-header",
            "Content-Type=video/mp2t",
            "--drop-header",
            "etag",
            "--drop-header",
            "age",
            "--param",
            "max_res=true",
            "--filename",
            "A b.m3u8",
            "--ip",
            "2001:DB8::7",
            "--base64",
            FILM);

    assertThat(finished.out())
        .matches(
            "https://proxy\\.example/mfp/_token_[\\w.-]+/proxy/hls/manifest\\.m3u8/A%20b\\.m3u8\\R");
    assertThat(opened(finished).link().parameters())
        .isEqualTo(
            Map.of(
                "max_res", "true",
                "d", "aHR0cHM6Ly9jZG4uZXhhbXBsZS92Lm1wNA",
                "h_Referer", "https://site.example/?a=b",
                "h_Origin", "https://site.example",
                "r_Cache-Control", "no-cache",
                "rp_Content-Type", "video/mp2t",
                "x_headers", "etag,age"));
    assertThat(opened(finished).link().rights().routeFamily()).contains("hls");
    assertThat(opened(finished).link().rights().clientAddress()).contains("2001:db8:0:0:0:0:0:7");
  }

  @ParameterizedTest
  @CsvSource({"3600, PT1H", "1s, PT1S", "90m, PT90M", "12h, PT12H", "7d, P7D"})
  void readsLifetimes(String text, Duration lifetime) throws Exception {
    Instant before = Instant.now();

    Optional<Instant> expiry = opened(sealed("--expires", text, FILM)).link().rights().expiry();

    assertThat(expiry.orElseThrow())
        .isBetween(before.minusSeconds(1).plus(lifetime), Instant.now().plus(lifetime));
  }

  @Test
  void readsTheDestinationFromStandardInput() throws Exception {
    Finished finished = run(" " + FILM + " \nmore\n", "url", "-");

    assertThat(finished.out()).endsWith("?d=https%3A%2F%2Fcdn.example%2Fv.mp4\n");
  }

  @Test
  void readsOptionsFromAFile() throws Exception {
    Path file = directory.resolve("options");
    Files.writeString(file, "--header\nCookie=id=1\n");

    assertThat(url("@" + file, FILM).out()).contains("&h_Cookie=id%3D1");
  }

  @Test
  void putsThePasswordIntoPlainLinks_withAWarning() {
    Finished finished = sealed("--plain", FILM);

    assertThat(finished.out())
        .endsWith(
            "/proxy/stream?api_password=a+long+password&d=https%3A%2F%2Fcdn.example%2Fv.mp4\n");
    assertThat(finished.err()).contains("Warning", "password").doesNotContain(PASSWORD);
  }

  @Test
  void makesCompatibleLinks() throws Exception {
    OpenedLink opened = opened(sealed("--set", "LINK_FORMAT=COMPATIBLE", FILM));

    assertThat(opened.isAuthentic()).isFalse();
    assertThat(opened.link().parameters()).isEqualTo(Map.of("d", FILM, "api_password", PASSWORD));
  }

  @Test
  void usesTheSecretInTheStateDirectory() throws Exception {
    String[] settings = {
      "--set", "API_PASSWORD=" + PASSWORD, "--set", "STATE_DIR=" + directory.resolve("state"), FILM
    };

    Finished finished = url(settings);

    assertThat(url(settings)).isEqualTo(finished);
    List<String> secret = List.of(SecretFile.read(directory.resolve("state")));
    String token = finished.out().replaceFirst("(?s).*/_token_([^/]+)/.*", "$1");
    assertThat(new LinkTokens(PASSWORD, secret, LinkFormat.V2, false).open(token)).isNotNull();
  }

  @Test
  void makesNoLinkThatTheServerWouldNotKnow() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "");

    Finished finished =
        url("--set", "API_PASSWORD=" + PASSWORD, "--set", "STATE_DIR=" + file, FILM);

    assertThat(finished.status()).isEqualTo(Main.BAD_USAGE);
    assertThat(finished.out()).isEmpty();
    assertThat(finished.err()).contains("STATE_DIR: " + file + " cannot be used");
  }

  @Test
  void knowsItsPublicAddress() {
    assertThat(url("--set", "PUBLIC_URL=https://proxy.example/x", FILM).out())
        .startsWith("https://proxy.example/x/proxy/stream?");
    assertThat(url("--set", "TLS_SELF_SIGNED=true", "--set", "PORT=443", FILM).out())
        .startsWith("https://127.0.0.1:443/proxy/stream?");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "                                  | DESTINATION is missing: an address, or - for standard input",
        "ftp://h/x                         | DESTINATION: not an address (expected: http://… or https://…)",
        "-                                 | DESTINATION: not an address (expected: http://… or https://…)",
        "--expires soon http://h/          | --expires: \"soon\" (expected: such as 3600, 90m, 12h or 7d)",
        "--expires 0 http://h/             | --expires: \"0\" (expected: such as 3600, 90m, 12h or 7d)",
        "--ip localhost http://h/          | --ip: \"localhost\" (expected: an IPv4 or IPv6 address)",
        "--ip 1.2.3.256 http://h/          | --ip: \"1.2.3.256\" (expected: an IPv4 or IPv6 address)",
        "--ip 1.2.3.4. http://h/           | --ip: \"1.2.3.4.\" (expected: an IPv4 or IPv6 address)",
        "--ip 1:2 http://h/                | --ip: \"1:2\" (expected: an IPv4 or IPv6 address)",
        "--ip 192.0.2.1 http://h/          | --expires, --ip: only sealed links have limits (expected: API_PASSWORD, no --plain)",
        "--endpoint /nowhere http://h/     | --endpoint: no route for links (expected: such as /proxy/stream)",
        "--endpoint /metrics http://h/     | --endpoint: no route for links (expected: such as /proxy/stream)",
        "--endpoint /proxy/ip?x=y http://h/ | --endpoint: not the path of a route (expected: such as /proxy/stream; parameters go to --param)",
        "--proxy-url proxy http://h/       | --proxy-url: not the address of a proxy (expected: http:// or https://, a host, perhaps a path; no user, no query, no fragment)",
        "--proxy-url https://u:p@h http://h/ | --proxy-url: not the address of a proxy (expected: http:// or https://, a host, perhaps a path; no user, no query, no fragment)",
        "--header Referer http://h/        | --header takes NAME=VALUE",
        "--param =x http://h/              | --param takes NAME=VALUE",
      })
  void explainsWhatIsWrong(String line, String problem) {
    Finished finished = url(line == null ? new String[0] : line.split(" ", -1));

    assertThat(finished)
        .isEqualTo(
            new Finished(
                Main.BAD_USAGE, "", problem + "\nmillrace url --help shows what there is.\n"));
  }

  @Test
  void explainsItself() {
    Finished help = url("--help");

    assertThat(help.status()).isZero();
    assertThat(help.out()).contains("--expires", "standard input", "command lines");
    assertThat(help.out().lines()).allMatch(line -> line.length() <= 80);
    assertThat(run("", "--help").out()).contains("millrace url --help");
    assertThat(run("", "--port", "1", "url").err())
        .startsWith("The command comes first: millrace url [OPTIONS] DESTINATION");
  }
}
