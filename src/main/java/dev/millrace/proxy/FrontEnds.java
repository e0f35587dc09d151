package dev.millrace.proxy;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * What is believed of a request's way here: the one place that reads forwarding fields (RFC 7239,
 * and the usage before it).
 */
public final class FrontEnds {
  private static final Set<String> FORWARDED = Set.of("Forwarded", "X-Forwarded-For", "X-Real-IP");

  private final FrontEndConfig config;

  public FrontEnds(FrontEndConfig config) {
    this.config = config;
  }

  /**
   * The connection that a request came on, and what it says of itself.
   *
   * @param peer address of the other end, an IP literal
   * @param scheme {@code http} or {@code https}
   * @param host that the request names, perhaps with a port (RFC 9110 §7.2)
   * @param contextPath of the web application; empty, or begins with a slash
   */
  public record Connection(String peer, String scheme, String host, String contextPath) {}

  /**
   * Where the request came from.
   *
   * @param fields all lines of a field of the request, by its name
   */
  public Arrival arrival(Connection connection, Function<String, List<String>> fields) {
    boolean isForwarded = FORWARDED.stream().anyMatch(name -> !fields.apply(name).isEmpty());
    return new Arrival(
        new Caller(connection.peer(), isForwarded),
        new PublicAddress(
            connection.scheme() + "://" + connection.host(),
            connection.contextPath() + config.rootPath()));
  }

  /**
   * The path of a route, without what a front end has put before it.
   *
   * @param rawPath within the web application, as it was sent
   */
  public String routePath(String rawPath) {
    return Optional.of(rawPath)
        .filter(path -> path.startsWith(config.rootPath() + "/"))
        .map(path -> path.substring(config.rootPath().length()))
        .orElse(rawPath);
  }
}
