package dev.millrace.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.upstream.Headers;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What people see who open the server in a browser. One document without a foreign host: its policy
 * (CSP Level 3) lets in only the style and the script whose digests it names.
 */
public final class HomePage implements View {
  private static final Pattern STYLE = Pattern.compile("(?s)<style>(.*?)</style>");
  private static final Pattern SCRIPT = Pattern.compile("(?s)<script>(.*?)</script>");

  private final Page page;

  private HomePage(Page page) {
    this.page = page;
  }

  /** Reads it from the program. */
  public static HomePage load() {
    try (InputStream in = HomePage.class.getResourceAsStream("home.html")) {
      if (in == null) {
        throw new IllegalStateException("home.html is not in the program");
      }
      String html = new String(in.readAllBytes(), UTF_8);
      return new HomePage(
          new Page(
              200,
              "text/html; charset=utf-8",
              Headers.of(
                  "Content-Security-Policy",
                  policy(html),
                  "Cross-Origin-Resource-Policy",
                  "same-origin"),
              html));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String policy(String html) {
    return "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
        + "; connect-src 'self'; style-src "
        + source(STYLE, html)
        + "; script-src "
        + source(SCRIPT, html);
  }

  private static String source(Pattern element, String html) {
    Matcher found = element.matcher(html);
    if (!found.find()) {
      throw new IllegalStateException("home.html has no " + element);
    }
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(found.group(1).getBytes(UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  @Override
  public Page page() {
    return page;
  }
}
