package dev.millrace.proxy;

import dev.millrace.upstream.IpAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What a request's forwarding fields say, whoever sent them: {@code Forwarded} (RFC 7239), and the
 * fields in use before it.
 */
final class ForwardingFields {
  static final int MAX_NODES = 64;

  /** Of all lines of {@code Forwarded}, and of {@code X-Forwarded-For}. */
  static final int MAX_LENGTH = 8 << 10;

  private static final String LIST = "X-Forwarded-For";
  private static final String FORWARDED = "Forwarded";
  private static final String REAL_IP = "X-Real-IP";
  private static final String PROTO = "X-Forwarded-Proto";
  private static final String HOST = "X-Forwarded-Host";
  private static final String PORT = "X-Forwarded-Port";
  private static final String PREFIX = "X-Forwarded-Prefix";
  private static final String SSL = "X-Forwarded-Ssl";
  private static final List<String> OTHER_PROTO = List.of("X-Forwarded-Protocol", "X-Url-Scheme");

  private static final List<String> ALL =
      Stream.concat(
              Stream.of(LIST, FORWARDED, PROTO, REAL_IP, HOST, PORT, PREFIX, SSL),
              OTHER_PROTO.stream())
          .toList();

  private final Function<String, List<String>> lines;

  ForwardingFields(Function<String, List<String>> lines) {
    this.lines = lines;
  }

  /**
   * What one family of fields says.
   *
   * @param client the first that is not trusted, seen from here; absent: the other end of the
   *     connection
   * @param scheme {@code http} or {@code https}
   * @param host that the client asked for
   * @param port in case the host names none
   */
  record Statement(
      Optional<IpAddress> client,
      Optional<String> scheme,
      Optional<HostAndPort> host,
      OptionalInt port) {}

  /** Whether there is any. */
  boolean isPresent() {
    for (String name : ALL) { // on every request
      if (!lines.apply(name).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  boolean isTooLong() {
    return length(LIST) > MAX_LENGTH || length(FORWARDED) > MAX_LENGTH;
  }

  private int length(String name) {
    return lines.apply(name).stream().mapToInt(line -> line.length() + 1).sum() - 1;
  }

  boolean isList() {
    return !lines.apply(LIST).isEmpty();
  }

  boolean isForwarded() {
    return !lines.apply(FORWARDED).isEmpty();
  }

  /**
   * What {@code X-…} fields say.
   *
   * @return absent if there are more than {@value #MAX_NODES} nodes
   */
  Optional<Statement> ofList(Predicate<IpAddress> isTrusted) {
    List<Optional<IpAddress>> nodes = ForwardedNode.list(joined(LIST));
    if (nodes.size() > MAX_NODES) {
      return Optional.empty();
    }
    return Optional.of(
        new Statement(
            isList() ? client(nodes, first(nodes, isTrusted)) : realAddress(),
            scheme(),
            first(HOST).flatMap(HostAndPort::parse),
            HostAndPort.port(first(PORT).orElse(""))));
  }

  /**
   * What {@code Forwarded} says: of scheme and host the outermost front end that is trusted, since
   * what stands left of it may be anybody's.
   *
   * @return absent if there are more than {@value #MAX_NODES} elements
   */
  Optional<Statement> ofForwarded(Predicate<IpAddress> isTrusted) {
    List<ForwardedElement> elements =
        ForwardedElement.parse(joined(FORWARDED)).orElse(List.of()); // says nothing then
    if (elements.size() > MAX_NODES) {
      return Optional.empty();
    }
    List<Optional<IpAddress>> nodes =
        elements.stream().map(element -> ForwardedNode.address(element.node())).toList();
    int first = first(nodes, isTrusted);
    Optional<ForwardedElement> told =
        elements.isEmpty() ? Optional.empty() : Optional.of(elements.get(first));
    return Optional.of(
        new Statement(
            client(nodes, first),
            told.flatMap(ForwardedElement::proto).flatMap(ForwardingFields::scheme),
            told.flatMap(ForwardedElement::host).flatMap(HostAndPort::parse),
            OptionalInt.empty()));
  }

  /** The right-most node that is not a trusted address; 0 if all are. */
  private static int first(List<Optional<IpAddress>> nodes, Predicate<IpAddress> isTrusted) {
    int at = nodes.size() - 1;
    while (at > 0 && nodes.get(at).filter(isTrusted).isPresent()) {
      at--;
    }
    return Math.max(0, at);
  }

  /** The node there or, if it tells no address, the trusted one that named it. */
  private static Optional<IpAddress> client(List<Optional<IpAddress>> nodes, int at) {
    return nodes.stream().skip(at).flatMap(Optional::stream).findFirst();
  }

  private Optional<IpAddress> realAddress() {
    List<String> told = lines.apply(REAL_IP);
    return told.size() == 1 ? ForwardedNode.address(told.get(0).strip()) : Optional.empty();
  }

  private Optional<String> scheme() {
    Optional<String> scheme = first(PROTO).flatMap(ForwardingFields::scheme);
    if (scheme.isEmpty() && first(SSL).filter(text -> text.equalsIgnoreCase("on")).isPresent()) {
      return Optional.of("https");
    }
    return scheme.or(
        () ->
            OTHER_PROTO.stream()
                .flatMap(name -> first(name).flatMap(ForwardingFields::scheme).stream())
                .findFirst());
  }

  private static Optional<String> scheme(String text) {
    String scheme = text.toLowerCase(Locale.ROOT);
    return scheme.equals("http") || scheme.equals("https") ? Optional.of(scheme) : Optional.empty();
  }

  /**
   * The path before ours; each front end that takes one off has added what it took. Empty if there
   * is none, or any part of it is odd.
   */
  String prefix() {
    StringBuilder prefix = new StringBuilder();
    for (String line : lines.apply(PREFIX)) {
      for (String part : line.split(",", -1)) {
        Optional<String> path = PathPrefix.parse(part.strip());
        if (path.isEmpty() || prefix.length() + path.get().length() > PathPrefix.MAX_LENGTH) {
          return "";
        }
        prefix.append(path.get());
      }
    }
    return prefix.toString();
  }

  private String joined(String name) {
    return String.join(",", lines.apply(name));
  }

  /** The first entry of a list. */
  private Optional<String> first(String name) {
    return lines.apply(name).stream().findFirst().map(line -> line.split(",", 2)[0].strip());
  }
}
