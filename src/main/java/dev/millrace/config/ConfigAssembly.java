package dev.millrace.config;

import dev.millrace.cache.CacheConfig;
import dev.millrace.cenc.CencConfig;
import dev.millrace.link.LinkConfig;
import dev.millrace.proxy.ContentRouting;
import dev.millrace.proxy.FrontEndConfig;
import dev.millrace.proxy.HlsConfig;
import dev.millrace.proxy.ProxyConfig;
import dev.millrace.servlet.ForwardConfig;
import dev.millrace.servlet.OperationConfig;
import dev.millrace.servlet.RelayConfig;
import dev.millrace.upstream.PublicIpConfig;
import dev.millrace.upstream.ResumeConfig;
import dev.millrace.upstream.RouteConfig;
import dev.millrace.upstream.RouteConfig.Route;
import dev.millrace.upstream.UpstreamConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Puts the values of the settings into the records of the components. */
final class ConfigAssembly {
  private static final String ANY_ADDRESS = "0.0.0.0";
  private static final int SHORT_PASSWORD = 12;

  private final SettingValues values;
  private final Deployment deployment;
  private final Optional<Path> stateDirectory;
  private final List<String> warnings = new ArrayList<>();

  /**
   * @param stateDirectory what {@code STATE_DIR} is when nothing sets it; absent: nowhere
   */
  ConfigAssembly(SettingValues values, Deployment deployment, Optional<Path> stateDirectory) {
    this.values = values;
    this.deployment = deployment;
    this.stateDirectory = stateDirectory;
  }

  /**
   * @throws ConfigException if any setting cannot be used
   */
  LoadedConfig assemble() throws ConfigException {
    ProxyConfig proxy = proxy();
    MillraceConfig config =
        new MillraceConfig(
            server(proxy),
            proxy,
            upstream(),
            relay(),
            operation(),
            link(),
            frontEnd(),
            publicIp(),
            forward(),
            hls(),
            cache(),
            new CencConfig(values.get(Settings.CRYPTO_PROVIDER)));
    LogLevel logLevel = values.get(Settings.LOG_LEVEL);
    values.reportUnknownNames();
    if (!values.problems().isEmpty()) {
      throw new ConfigException(values.problems());
    }
    warnAboutPassword(proxy);
    warnAboutRoutes(config.upstream().routes());
    warnAboutOpenNetwork(config);
    warnAboutNamesWithoutEffect();
    List<SettingValue> settings = Settings.ALL.stream().map(values::shown).toList();
    return new LoadedConfig(config, logLevel, settings, warnings);
  }

  private ProxyConfig proxy() {
    return new ProxyConfig(
        values.get(Settings.API_PASSWORD),
        switch (deployment) {
          case STANDALONE -> false;
          case WEBAPP -> true;
        },
        values.get(Settings.USER_AGENT),
        values.get(Settings.ALLOW_HOST_HEADER));
  }

  private void warnAboutPassword(ProxyConfig proxy) {
    if (proxy.apiPassword().filter(password -> password.length() < SHORT_PASSWORD).isPresent()) {
      warnings.add(
          "API_PASSWORD has fewer than "
              + SHORT_PASSWORD
              + " characters: one link of the older format is enough to guess it, without asking"
              + " this server");
    }
  }

  private ServerConfig server(ProxyConfig proxy) {
    return switch (deployment) {
      case STANDALONE -> ownServer(proxy);
      case WEBAPP -> serverOfContainer();
    };
  }

  /** What concerns the server is read all the same, so that nonsense is not passed over. */
  private ServerConfig serverOfContainer() {
    Settings.OF_SERVER.forEach(values::get);
    List<String> names =
        Settings.OF_SERVER.stream().filter(values::isSet).map(Setting::name).toList();
    if (!names.isEmpty()) {
      warnings.add("Set, but the container decides: " + String.join(", ", names));
    }
    return ServerConfig.defaults();
  }

  private ServerConfig ownServer(ProxyConfig proxy) {
    boolean hasPassword = proxy.apiPassword().isPresent();
    String host = values.get(Settings.HOST);
    int port = values.get(Settings.PORT);
    Optional<BindAddress> bind = values.get(Settings.GUNICORN_BIND);
    String place = values.shown(Settings.GUNICORN_BIND).source();
    if (bind.isPresent() && bindWins(Settings.HOST)) {
      host = values.override(Settings.HOST, bind.get().host(), place);
    } else if (!values.isSet(Settings.HOST) && hasPassword) {
      host = values.override(Settings.HOST, ANY_ADDRESS, "default with a password");
    }
    if (bind.isPresent() && bindWins(Settings.PORT)) {
      port = values.override(Settings.PORT, bind.get().port(), place);
    }
    if (!hasPassword && !isLoopback(host)) {
      warnings.add(
          "HOST is "
              + host
              + " and no API_PASSWORD is set: everyone who reaches this port can use the proxy");
    }
    ServerConfig defaults = ServerConfig.defaults();
    return new ServerConfig(
        host,
        port,
        defaults.acceptQueue(),
        defaults.idleTimeout(),
        values.get(Settings.DRAIN_TIMEOUT),
        tls());
  }

  private Optional<TlsConfig> tls() {
    Optional<Path> certificate = values.get(Settings.TLS_CERTIFICATE);
    Optional<Path> key = values.get(Settings.TLS_KEY);
    Optional<String> keyPassword = values.get(Settings.TLS_KEY_PASSWORD);
    boolean isSelfSigned = values.get(Settings.TLS_SELF_SIGNED);
    if (isSelfSigned && (certificate.isPresent() || key.isPresent())) {
      values
          .problems()
          .add("TLS_SELF_SIGNED: cannot be on while TLS_CERTIFICATE or TLS_KEY is set");
    } else if (certificate.isPresent() != key.isPresent()) {
      String missing = certificate.isPresent() ? "TLS_KEY" : "TLS_CERTIFICATE";
      values.problems().add(missing + ": missing (TLS_CERTIFICATE and TLS_KEY go together)");
    } else if (certificate.isPresent()) {
      return Optional.of(
          new TlsConfig(
              Optional.of(
                  new TlsConfig.PemFiles(certificate.get(), key.orElseThrow(), keyPassword))));
    }
    return isSelfSigned ? Optional.of(TlsConfig.SELF_SIGNED) : Optional.empty();
  }

  private boolean bindWins(Setting<?> setting) {
    return values.rank(Settings.GUNICORN_BIND) <= values.rank(setting);
  }

  private static boolean isLoopback(String host) {
    return host.equalsIgnoreCase("localhost") || host.matches("127\\.[0-9.]+|::1");
  }

  private UpstreamConfig upstream() {
    UpstreamConfig defaults = UpstreamConfig.defaults();
    Duration timeout = values.get(Settings.TIMEOUT);
    int permits = values.get(Settings.ORIGIN_PERMITS);
    int maxConnections = values.get(Settings.MAX_CONNECTIONS_PER_ORIGIN);
    if (permits > maxConnections) {
      values
          .problems()
          .add(
              "ORIGIN_PERMITS: \""
                  + permits
                  + "\" (expected: at most MAX_CONNECTIONS_PER_ORIGIN, which is "
                  + maxConnections
                  + ")");
    }
    return new UpstreamConfig(
        permits,
        values.get(Settings.ORIGIN_QUEUE),
        values.get(Settings.ORIGIN_QUEUE_TIMEOUT),
        maxConnections,
        values.get(Settings.CONNECT_TIMEOUT),
        timeout,
        timeout,
        values.get(Settings.POOLED_IDLE_TIMEOUT),
        defaults.resolveTimeout(),
        defaults.maxRedirects(),
        values.get(Settings.ALLOW_TARGETS),
        verifyTls(),
        resume(),
        routes(),
        values.get(Settings.ORIGIN_HTTP2));
  }

  private ResumeConfig resume() {
    return new ResumeConfig(
        values.get(Settings.UPSTREAM_RETRY_ON_DISCONNECT),
        values.get(Settings.UPSTREAM_RETRY_ATTEMPTS),
        values.get(Settings.UPSTREAM_RETRY_DELAY),
        values.get(Settings.UPSTREAM_RETRY_BUDGET));
  }

  private boolean verifyTls() {
    boolean disabled = values.get(Settings.DISABLE_SSL_VERIFICATION_GLOBALLY);
    if (disabled) {
      warnings.add("DISABLE_SSL_VERIFICATION_GLOBALLY is on: origins can be impersonated");
    }
    return !disabled;
  }

  private RouteConfig routes() {
    int problemsBefore = values.problems().size();
    RouteConfig routes =
        new RouteConfig(
            values.get(Settings.TRANSPORT_ROUTES),
            values.get(Settings.PROXY_URL),
            values.get(Settings.ALL_PROXY));
    boolean isReadable = values.problems().size() == problemsBefore;
    if (isReadable && routes.allProxy() && routes.proxyUrl().isEmpty()) {
      values.problems().add("ALL_PROXY: on, but PROXY_URL is not set");
    } else if (isReadable) {
      check(routes);
    }
    return routes;
  }

  private void check(RouteConfig routes) {
    try {
      routes.checked();
    } catch (IllegalArgumentException e) {
      String place = values.shown(Settings.TRANSPORT_ROUTES).source();
      values.problems().add("TRANSPORT_ROUTES (" + place + "): " + e.getMessage());
    }
  }

  /** Pages of any origin may use an open server, and it reaches what they cannot. */
  private void warnAboutOpenNetwork(MillraceConfig config) {
    if (config.proxy().apiPassword().isEmpty() && !config.upstream().allowTargets().isEmpty()) {
      warnings.add(
          "ALLOW_TARGETS opens internal targets and no API_PASSWORD is set: any web page that is"
              + " open in a browser which reaches this server can read them");
    }
  }

  private void warnAboutRoutes(RouteConfig routes) {
    for (String place : values.foreign(Settings.ALL_PROXY)) {
      warnings.add(
          "ALL_PROXY ("
              + place
              + ") is an address and ignored: here it is a switch, and PROXY_URL the address");
    }
    boolean isUsed =
        routes.allProxy()
            || routes.routes().stream().anyMatch(r -> r.proxy() && r.proxyUrl().isEmpty());
    if (routes.proxyUrl().isPresent() && !isUsed) {
      warnings.add("PROXY_URL is set and not used: neither ALL_PROXY nor a route asks for it");
    }
    List<String> unverified =
        routes.routes().stream().filter(r -> !r.verifyTls()).map(Route::pattern).toList();
    if (!unverified.isEmpty()) {
      warnings.add(
          "TRANSPORT_ROUTES: certificates are not checked, so that they can be impersonated, of "
              + String.join(", ", unverified));
    }
  }

  private RelayConfig relay() {
    return new RelayConfig(
        values.get(Settings.CLIENT_IDLE_TIMEOUT), values.get(Settings.BUFFER_MEMORY));
  }

  private OperationConfig operation() {
    return new OperationConfig(
        values.get(Settings.METRICS),
        values.get(Settings.ACCESS_LOG),
        !values.get(Settings.DISABLE_HOME_PAGE),
        !values.get(Settings.DISABLE_DOCS),
        !values.get(Settings.DISABLE_SPEEDTEST));
  }

  private LinkConfig link() {
    Optional<Path> chosen = values.get(Settings.STATE_DIR);
    Optional<Path> inForce =
        values.isSet(Settings.STATE_DIR)
            ? chosen
            : values.override(Settings.STATE_DIR, stateDirectory, SettingValue.DEFAULT);
    return new LinkConfig(
        values.get(Settings.LINK_SECRET),
        inForce,
        chosen.isPresent(),
        values.get(Settings.LINK_FORMAT),
        values.get(Settings.ACCEPT_COMPATIBLE_LINKS));
  }

  private FrontEndConfig frontEnd() {
    List<String> trusted = values.get(Settings.FORWARDED_ALLOW_IPS);
    if (trusted.stream().anyMatch(Set.of("*", "0.0.0.0/0", "::/0")::contains)) {
      warnings.add(
          "FORWARDED_ALLOW_IPS believes everybody: whoever reaches this port can claim to be any"
              + " client");
    }
    return new FrontEndConfig(
        trusted, values.get(Settings.PUBLIC_URL), values.get(Settings.ROOT_PATH));
  }

  private PublicIpConfig publicIp() {
    return new PublicIpConfig(
        values.get(Settings.PUBLIC_IP), values.get(Settings.PUBLIC_IP_SERVICES));
  }

  private ForwardConfig forward() {
    return new ForwardConfig(
        values.get(Settings.FORWARD_ALLOWED_HOSTS),
        values.get(Settings.FORWARD_DENIED_HOSTS),
        values.get(Settings.FORWARD_MAX_REQUEST_BODY_BYTES),
        values.get(Settings.FORWARD_MAX_RESPONSE_BODY_BYTES));
  }

  private HlsConfig hls() {
    ContentRouting routing = values.get(Settings.M3U8_CONTENT_ROUTING);
    Optional<String> stremio = values.get(Settings.STREMIO_PROXY_URL);
    if (routing == ContentRouting.STREMIO && stremio.isEmpty()) {
      warnings.add(
          "M3U8_CONTENT_ROUTING is stremio and STREMIO_PROXY_URL is not set: segments lead to this"
              + " server");
    }
    return new HlsConfig(
        routing,
        stremio,
        values.get(Settings.LIVESTREAM_START_OFFSET),
        values.get(Settings.GRACEFUL_STREAM_END));
  }

  private CacheConfig cache() {
    boolean isPrefetching = values.get(Settings.ENABLE_HLS_PREBUFFER);
    int segments = values.get(Settings.HLS_PREBUFFER_SEGMENTS);
    return new CacheConfig(
        values.get(Settings.SEGMENT_CACHE),
        values.get(Settings.HLS_SEGMENT_CACHE_TTL),
        isPrefetching ? segments : 0,
        values.get(Settings.HLS_PREBUFFER_INACTIVITY_TIMEOUT));
  }

  private void warnAboutNamesWithoutEffect() {
    List<String> names = values.notYet();
    if (!names.isEmpty()) {
      warnings.add("Set, but without effect in this version: " + String.join(", ", names));
    }
  }
}
