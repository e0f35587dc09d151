package dev.millrace.dash;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hls.BaseUri;
import dev.millrace.stream.ByteBuilder;
import dev.millrace.stream.MediaFormatException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The base addresses at one place of an MPD (ISO/IEC 23009-1 §5.6), resolved level by level (RFC
 * 3986 §5.2). Addresses come out valid: what may not stand in one is percent-encoded.
 */
final class BaseUrls {
  /** Alternatives; further ones are left out. */
  static final int MAX_ALTERNATIVES = 8;

  /** Of one address; longer ones are none. */
  static final int MAX_LENGTH = 16 << 10;

  /** Of all addresses of an MPD together, in characters. */
  static final int MAX_CHARACTERS = 4 << 20;

  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  /** What is spent of {@link #MAX_CHARACTERS}. */
  private static final class Spent {
    private long characters;
  }

  private final List<String> urls;
  private final BaseUri first;
  private final Spent spent;
  private final boolean isOfFile;
  private final double availabilityTimeOffset;

  private BaseUrls(
      List<String> urls, Spent spent, boolean isOfFile, double availabilityTimeOffset) {
    this.urls = List.copyOf(urls);
    this.first = BaseUri.of(urls.get(0));
    this.spent = spent;
    this.isOfFile = isOfFile;
    this.availabilityTimeOffset = availabilityTimeOffset;
  }

  /** Where the MPD was found. */
  static BaseUrls of(String url) {
    return new BaseUrls(List.of(url), new Spent(), false, 0);
  }

  /** Absolute; the first choice first. */
  List<String> all() {
    return urls;
  }

  /** Absolute. */
  String preferred() {
    return urls.get(0);
  }

  /** Whether it may be the address of media: the MPD has said so, and it is no directory. */
  boolean isOfFile() {
    return isOfFile && !preferred().endsWith("/");
  }

  /** In seconds, of all levels together. */
  double availabilityTimeOffset() {
    return availabilityTimeOffset;
  }

  /** With the {@code BaseURL} elements of one level, those of lower priority last. */
  BaseUrls with(MpdElement level) throws MediaFormatException {
    List<MpdElement> elements =
        level
            .all("BaseURL")
            .filter(element -> !element.text().isEmpty())
            .sorted(Comparator.comparingLong(BaseUrls::priority))
            .limit(MAX_ALTERNATIVES)
            .toList();
    Set<String> resolved = new LinkedHashSet<>();
    for (MpdElement element : elements) {
      for (String base : urls) {
        resolve(BaseUri.of(base), element.text()).ifPresent(resolved::add);
      }
    }
    List<String> alternatives = resolved.stream().limit(MAX_ALTERNATIVES).toList();
    spend(alternatives.stream().mapToLong(String::length).sum());
    if (alternatives.isEmpty()) {
      return this;
    }
    double offset = elements.get(0).seconds("availabilityTimeOffset");
    return new BaseUrls(alternatives, spent, true, availabilityTimeOffset + offset);
  }

  /** DVB A168 §10.8.2.1: 1 is the default, and lower numbers come first. */
  private static long priority(MpdElement element) {
    OptionalLong priority = element.number(":priority");
    return priority.orElse(1);
  }

  /**
   * What a reference means here.
   *
   * @return absolute; empty if it is no {@code http} or {@code https} address
   */
  Optional<String> resolve(String reference) throws MediaFormatException {
    Optional<String> url = resolve(first, reference);
    spend(url.map(String::length).orElse(0));
    return url;
  }

  private static Optional<String> resolve(BaseUri base, String reference) {
    if (reference.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    byte[] bytes = reference.strip().getBytes(UTF_8);
    ByteBuilder url = new ByteBuilder(bytes.length + 64);
    return base.resolve(bytes, 0, bytes.length, url)
        ? Optional.of(valid(url.toByteArray())).filter(known -> known.length() <= MAX_LENGTH)
        : Optional.empty();
  }

  private static String valid(byte[] url) {
    int first = 0;
    while (first < url.length && isValid(url[first])) {
      first++;
    }
    StringBuilder valid = new StringBuilder(new String(url, 0, first, ISO_8859_1));
    for (int i = first; i < url.length; i++) {
      if (isValid(url[i])) {
        valid.append((char) url[i]);
      } else {
        valid.append('%').append(HEX.toHexDigits(url[i]));
      }
    }
    return valid.toString();
  }

  private static boolean isValid(byte octet) {
    return octet > ' ' && octet != 0x7f && "\"<>\\^`{|}".indexOf(octet) < 0;
  }

  private void spend(long characters) throws MediaFormatException {
    spent.characters += characters;
    if (spent.characters > MAX_CHARACTERS) {
      throw MediaFormatException.unsupported(
          "The MPD's addresses are more than " + MAX_CHARACTERS + " characters together");
    }
  }
}
