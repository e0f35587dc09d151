package dev.millrace.proxy;

import dev.millrace.proxy.ForwardingFields.Statement;
import dev.millrace.upstream.IpAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is believed of a request's way here: the one place that reads forwarding fields (RFC 7239,
 * and the usage before it).
 *
 * <p>They are believed if the connection comes from a trusted peer, and ignored altogether
 * otherwise. The client is the first address, from the right, that is not trusted: what stands left
 * of it was written by somebody who could write anything. {@code Forwarded} and {@code
 * X-Forwarded-For} together must lead to the same client, since a front end that writes one of them
 * may pass the other on as a client invented it; scheme and host are then taken from the {@code
 * X-…} fields.
 */
public final class FrontEnds {
  private static final Logger LOG = LoggerFactory.getLogger(FrontEnds.class);
  private static final Duration PAUSE = Duration.ofMinutes(10);

  private final TrustedPeers trusted;
  private final Optional<PublicAddress> publicAddress;
  private final String rootPath;
  private final RareWarning untrustedPeer;
  private final RareWarning contradiction;

  private FrontEnds(
      TrustedPeers trusted,
      Optional<PublicAddress> publicAddress,
      String rootPath,
      LongSupplier nanoTime) {
    this.trusted = trusted;
    this.publicAddress = publicAddress;
    this.rootPath = rootPath;
    this.untrustedPeer = new RareWarning(nanoTime, PAUSE);
    this.contradiction = new RareWarning(nanoTime, PAUSE);
  }

  /**
   * Those of these settings.
   *
   * @param nanoTime like {@link System#nanoTime()}
   * @throws IllegalArgumentException if the settings are not as {@link FrontEndConfig} checks them
   */
  public static FrontEnds of(FrontEndConfig config, LongSupplier nanoTime) {
    return new FrontEnds(
        TrustedPeers.of(config.trusted()),
        config.publicUrl().map(PublicAddress::parse),
        FrontEndConfig.checkedRootPath(config.rootPath()),
        nanoTime);
  }

  /**
   * The connection that a request came on, and what it says of itself.
   *
   * @param peer address of the other end, an IP literal
   * @param scheme {@code http} or {@code https}
   * @param host that the request names, perhaps with a port (RFC 9110 §7.2)
   * @param local address and port of this end, in case that host makes no sense
   * @param contextPath of the web application; empty, or begins with a slash
   */
  public record Connection(
      String peer, String scheme, String host, String local, String contextPath) {}

  /**
   * Where the request came from. The caller's address is in the spelling of {@link IpAddress}.
   *
   * @param fields all lines of a field of the request, by its name; empty if there is none
   */
  public Arrival arrival(Connection connection, Function<String, List<String>> fields) {
    ForwardingFields forwarding = new ForwardingFields(fields);
    String peer = canonical(connection.peer());
    if (!forwarding.isPresent()) {
      return new Arrival(new Caller(peer, false), publicAddress(connection, Optional.empty(), ""));
    }
    Optional<Statement> statement = believed(peer, forwarding);
    String prefix = statement.isPresent() ? forwarding.prefix() : "";
    String client = statement.flatMap(Statement::client).map(IpAddress::toString).orElse(peer);
    return new Arrival(
        new Caller(client, true), publicAddress(connection, statement, prefix), prefix);
  }

  /** IPv4 has one spelling only. */
  private static String canonical(String peer) {
    return peer.indexOf(':') < 0
        ? peer
        : ForwardedNode.address(peer).map(IpAddress::toString).orElse(peer);
  }

  private Optional<Statement> believed(String peer, ForwardingFields forwarding) {
    if (!trusted.trusts(IpAddress.parse(peer))) {
      if (untrustedPeer.isDue()) {
        LOG.warn(
            "Forwarding fields (X-Forwarded-For and the like) of {} are ignored: it is not in"
                + " FORWARDED_ALLOW_IPS. If it is your front end, list it there: links that are"
                + " bound to an address work no other way",
            peer);
      }
      return Optional.empty();
    }
    Optional<Statement> statement =
        forwarding.isTooLong() ? Optional.empty() : statement(forwarding);
    if (statement.isEmpty() && contradiction.isDue()) {
      LOG.warn(
          "Forwarding fields of {} are ignored: Forwarded and X-Forwarded-For name different"
              + " clients, or more than {}. A front end must set one of them and remove the other",
          peer,
          ForwardingFields.MAX_NODES);
    }
    return statement;
  }

  /** Absent if what there is contradicts itself, or is too much. */
  private Optional<Statement> statement(ForwardingFields forwarding) {
    if (!forwarding.isForwarded()) {
      return forwarding.ofList(trusted::trusts);
    }
    Optional<Statement> forwarded = forwarding.ofForwarded(trusted::trusts);
    if (!forwarding.isList() || forwarded.isEmpty()) {
      return forwarded;
    }
    return forwarding
        .ofList(trusted::trusts)
        .filter(statement -> statement.client().equals(forwarded.get().client()));
  }

  private PublicAddress publicAddress(
      Connection connection, Optional<Statement> statement, String prefix) {
    if (publicAddress.isPresent()) {
      return publicAddress.get();
    }
    String scheme = statement.flatMap(Statement::scheme).orElse(connection.scheme());
    HostAndPort host =
        statement.flatMap(Statement::host).orElseGet(() -> ownHost(connection)).or(port(statement));
    return new PublicAddress(
        scheme + "://" + host.authority(scheme),
        (prefix.isEmpty() ? rootPath : prefix) + connection.contextPath());
  }

  private static OptionalInt port(Optional<Statement> statement) {
    return statement.map(Statement::port).orElse(OptionalInt.empty());
  }

  private static HostAndPort ownHost(Connection connection) {
    return HostAndPort.parse(connection.host())
        .or(() -> HostAndPort.parse(connection.local()))
        .orElseGet(() -> new HostAndPort("localhost", OptionalInt.empty()));
  }

  /**
   * The path of a route, without what a front end has put before it, if it is still there: there
   * are those that take it off.
   *
   * @param rawPath within the web application, as it was sent
   */
  public String routePath(Arrival arrival, String rawPath) {
    String publicPath = publicAddress.map(PublicAddress::path).orElse("");
    return Stream.of(arrival.prefix(), rootPath, publicPath)
        .map(prefix -> without(prefix, rawPath))
        .filter(path -> path.length() < rawPath.length())
        .findFirst()
        .orElse(rawPath);
  }

  /** Only if a route remains: a prefix may be the beginning of a route's own path. */
  private static String without(String prefix, String rawPath) {
    if (prefix.isEmpty() || !rawPath.startsWith(prefix + "/")) {
      return rawPath;
    }
    String rest = rawPath.substring(prefix.length());
    boolean isRoute = TokenPath.of(rest).isPresent() || Endpoint.match(rest).isPresent();
    return isRoute ? rest : rawPath;
  }
}
