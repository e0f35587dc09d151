package dev.millrace.config;

import dev.millrace.proxy.ProxyConfig;
import dev.millrace.servlet.RelayConfig;
import dev.millrace.upstream.UpstreamConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Puts the values of the settings into the records of the components. */
final class ConfigAssembly {
  private static final String ANY_ADDRESS = "0.0.0.0";

  private final SettingValues values;
  private final Deployment deployment;
  private final List<String> warnings = new ArrayList<>();

  ConfigAssembly(SettingValues values, Deployment deployment) {
    this.values = values;
    this.deployment = deployment;
  }

  /**
   * @throws ConfigException if any setting cannot be used
   */
  LoadedConfig assemble() throws ConfigException {
    ProxyConfig proxy = proxy();
    MillraceConfig config = new MillraceConfig(server(proxy), proxy, upstream(), relay());
    LogLevel logLevel = values.get(Settings.LOG_LEVEL);
    values.reportUnknownNames();
    if (!values.problems().isEmpty()) {
      throw new ConfigException(values.problems());
    }
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
        host, port, defaults.acceptQueue(), defaults.drainTimeout(), defaults.tls());
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
        defaults.resume(),
        defaults.routes(),
        defaults.http2());
  }

  private boolean verifyTls() {
    boolean disabled = values.get(Settings.DISABLE_SSL_VERIFICATION_GLOBALLY);
    if (disabled) {
      warnings.add("DISABLE_SSL_VERIFICATION_GLOBALLY is on: origins can be impersonated");
    }
    return !disabled;
  }

  private RelayConfig relay() {
    return new RelayConfig(
        values.get(Settings.CLIENT_IDLE_TIMEOUT), values.get(Settings.BUFFER_MEMORY));
  }

  private void warnAboutNamesWithoutEffect() {
    List<String> names = values.notYet();
    if (!names.isEmpty()) {
      warnings.add("Set, but without effect in this version: " + String.join(", ", names));
    }
  }
}
