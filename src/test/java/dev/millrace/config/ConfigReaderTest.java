package dev.millrace.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.link.LinkConfig;
import dev.millrace.servlet.OperationConfig;
import dev.millrace.upstream.ResumeConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConfigReaderTest {
  @TempDir private Path directory;

  @Test
  void givesTheDefaults_whenNothingIsSet() throws Exception {
    LoadedConfig loaded = environment(Map.of());

    assertThat(loaded.config()).isEqualTo(MillraceConfig.defaults());
    assertThat(loaded.config().server().host()).isEqualTo("127.0.0.1");
    assertThat(loaded.config().server().port()).isEqualTo(8888);
    assertThat(loaded.warnings()).isEmpty();
    assertThat(loaded.settings()).allMatch(SettingValue::isDefault);
  }

  @Test
  void leavesTheServerToTheContainer_inAWebApplication() throws Exception {
    LoadedConfig loaded =
        ConfigReader.ofWebapp(Map.of("HOST", "0.0.0.0", "timeout", "9", "org.example.other", "x"))
            .read();

    assertThat(loaded.config().server()).isEqualTo(ServerConfig.defaults());
    assertThat(loaded.config().proxy().loopbackOnly()).isTrue();
    assertThat(loaded.config().upstream().idleTimeout()).isEqualTo(Duration.ofSeconds(9));
    assertThat(loaded.warnings()).anyMatch(text -> text.matches("Set, but the container.*HOST.*"));
    assertThat(loaded.warnings()).noneMatch(text -> text.contains("everyone"));
  }

  @Test
  void readsEverySettingIntoItsPlace() throws Exception {
    MillraceConfig config =
        environment(
                Map.ofEntries(
                    Map.entry("HOST", "::1"),
                    Map.entry("PORT", "9000"),
                    Map.entry("API_PASSWORD", "secret"),
                    Map.entry("USER_AGENT", "Player/1"),
                    Map.entry("TIMEOUT", "90"),
                    Map.entry("CONNECT_TIMEOUT", "2.5"),
                    Map.entry("ALLOW_TARGETS", "loopback, 10.0.0.0/8,nas:8080,"),
                    Map.entry("ALLOW_HOST_HEADER", "on"),
                    Map.entry("DISABLE_SSL_VERIFICATION_GLOBALLY", "True"),
                    Map.entry("ORIGIN_PERMITS", "3"),
                    Map.entry("ORIGIN_QUEUE", "0"),
                    Map.entry("ORIGIN_QUEUE_TIMEOUT", "1"),
                    Map.entry("MAX_CONNECTIONS_PER_ORIGIN", "40"),
                    Map.entry("POOLED_IDLE_TIMEOUT", "4"),
                    Map.entry("UPSTREAM_RETRY_ON_DISCONNECT", "false"),
                    Map.entry("UPSTREAM_RETRY_ATTEMPTS", "1"),
                    Map.entry("UPSTREAM_RETRY_DELAY", "0.2"),
                    Map.entry("UPSTREAM_RETRY_BUDGET", "9"),
                    Map.entry("ORIGIN_HTTP2", "on"),
                    Map.entry("CLIENT_IDLE_TIMEOUT", "7200"),
                    Map.entry("BUFFER_MEMORY", "96m"),
                    Map.entry("DRAIN_TIMEOUT", "0"),
                    Map.entry("DISABLE_HOME_PAGE", "true"),
                    Map.entry("METRICS", "no"),
                    Map.entry("ACCESS_LOG", "off")))
            .config();

    assertThat(config.server().host()).isEqualTo("::1");
    assertThat(config.server().port()).isEqualTo(9000);
    assertThat(config.server().drainTimeout()).isZero();
    assertThat(config.operation()).isEqualTo(new OperationConfig(false, false, false, true, true));
    assertThat(config.proxy().apiPassword()).contains("secret");
    assertThat(config.proxy().userAgent()).isEqualTo("Player/1");
    assertThat(config.proxy().allowHostHeader()).isTrue();
    assertThat(config.upstream().idleTimeout()).isEqualTo(Duration.ofSeconds(90));
    assertThat(config.upstream().headerTimeout()).isEqualTo(Duration.ofSeconds(90));
    assertThat(config.upstream().connectTimeout()).isEqualTo(Duration.ofMillis(2500));
    assertThat(config.upstream().allowTargets())
        .containsExactly("loopback", "10.0.0.0/8", "nas:8080");
    assertThat(config.upstream().verifyTls()).isFalse();
    assertThat(config.upstream().gatePermits()).isEqualTo(3);
    assertThat(config.upstream().gateWaiting()).isZero();
    assertThat(config.upstream().gateTimeout()).isEqualTo(Duration.ofSeconds(1));
    assertThat(config.upstream().maxConnections()).isEqualTo(40);
    assertThat(config.upstream().pooledIdleTimeout()).isEqualTo(Duration.ofSeconds(4));
    assertThat(config.upstream().resume())
        .isEqualTo(new ResumeConfig(false, 1, Duration.ofMillis(200), Duration.ofSeconds(9)));
    assertThat(config.upstream().http2()).isTrue();
    assertThat(config.relay().clientIdleTimeout()).isEqualTo(Duration.ofHours(2));
    assertThat(config.relay().bufferMemoryBytes()).isEqualTo(96L << 20);
  }

  @Test
  void laterSourcesOverrideEarlierOnes() throws Exception {
    Files.writeString(
        directory.resolve("millrace.toml"),
        """
        [server]
        host = "127.0.0.2"
        port = 1001
        [proxy]
        connect_timeout = 3
        timeout = 11
        user_agent = "from toml"
        """);
    Files.writeString(
        directory.resolve(".env"),
        "PORT=1002\nCONFIG_PATH=millrace.toml\nTIMEOUT=12\nUSER_AGENT='from .env'\n");
    ConfigReader reader =
        new ConfigReader(
            Map.of("PORT", "1003", "TIMEOUT", "13", "ORIGIN_QUEUE", "5"),
            Map.of("millrace.timeout", "14", "java.home", "x", "millrace.Server.Port", "1004"),
            Map.of("PORT", "1005"),
            directory);

    LoadedConfig loaded = reader.read();

    assertThat(loaded.config().server()).isEqualTo(server("127.0.0.2", 1005));
    assertThat(loaded.config().upstream().connectTimeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(loaded.config().upstream().idleTimeout()).isEqualTo(Duration.ofSeconds(14));
    assertThat(loaded.config().upstream().gateWaiting()).isEqualTo(5);
    assertThat(loaded.config().proxy().userAgent()).isEqualTo("from .env");
    assertThat(loaded.settings())
        .contains(
            new SettingValue("PORT", "1005", "command line PORT"),
            new SettingValue("TIMEOUT", "14", "JVM property timeout"),
            new SettingValue("HOST", "127.0.0.2", "millrace.toml server.host"),
            new SettingValue("USER_AGENT", "from .env", ".env USER_AGENT"),
            new SettingValue("ORIGIN_QUEUE", "5", "environment ORIGIN_QUEUE"));
  }

  @Test
  void acceptsTheNamesOfBothOlderPrograms() throws Exception {
    MillraceConfig config =
        environment(
                Map.of(
                    "APP__SERVER__HOST", "127.0.0.3",
                    "app__server__port", "7000",
                    "APP__AUTH__API_PASSWORD", "secret",
                    "APP__PROXY__CONNECT_TIMEOUT", "9",
                    "user_agent", "UA"))
            .config();

    assertThat(config.server()).isEqualTo(server("127.0.0.3", 7000));
    assertThat(config.proxy().apiPassword()).contains("secret");
    assertThat(config.upstream().connectTimeout()).isEqualTo(Duration.ofSeconds(9));
    assertThat(config.proxy().userAgent()).isEqualTo("UA");
  }

  @Test
  void prefersItsOwnPrefix_thenThePlainName() throws Exception {
    assertThat(
            environment(Map.of("MILLRACE_PORT", "1", "PORT", "2", "APP__SERVER__PORT", "3"))
                .config()
                .server()
                .port())
        .isEqualTo(1);
    assertThat(environment(Map.of("PORT", "2", "APP__SERVER__PORT", "3")).config().server().port())
        .isEqualTo(2);
  }

  @Test
  void treatsEmptyAsUnset() throws Exception {
    Files.writeString(directory.resolve(".env"), "PORT=1002\nAPI_PASSWORD=\n");

    LoadedConfig loaded = environment(Map.of("PORT", "", "API_PASSWORD", " ", "HOST", ""));

    assertThat(loaded.config().server()).isEqualTo(server("127.0.0.1", 1002));
    assertThat(loaded.config().proxy().apiPassword()).isEmpty();
  }

  @Test
  void listensEverywhere_whenThereIsAPasswordAndNoHost() throws Exception {
    assertThat(environment(Map.of("API_PASSWORD", "secret")).config().server().host())
        .isEqualTo("0.0.0.0");
    assertThat(
            environment(Map.of("API_PASSWORD", "secret", "HOST", "127.0.0.1"))
                .config()
                .server()
                .host())
        .isEqualTo("127.0.0.1");
  }

  @Test
  void warns_whenAnOpenServerListensBeyondLoopback() throws Exception {
    assertThat(environment(Map.of("HOST", "0.0.0.0")).warnings())
        .singleElement()
        .asString()
        .contains("API_PASSWORD");
    assertThat(environment(Map.of("HOST", "::1")).warnings()).isEmpty();
    assertThat(environment(Map.of("HOST", "0.0.0.0", "API_PASSWORD", "longer than 12")).warnings())
        .isEmpty();
  }

  @Test
  void warnsAboutShortPasswords() throws Exception {
    assertThat(environment(Map.of("API_PASSWORD", "elevenchars")).warnings())
        .singleElement()
        .asString()
        .contains("fewer than 12 characters")
        .doesNotContain("elevenchars");
    assertThat(environment(Map.of("API_PASSWORD", "twelve chars")).warnings()).isEmpty();
  }

  @Test
  void keepsStateWhereTheUserKeepsIt_unlessToldOtherwise() throws Exception {
    Map<String, String> home = Map.of("user.home", "/home/u");
    Map<String, String> stateHome = Map.of("XDG_STATE_HOME", "/state");

    assertThat(link(Map.of(), home).stateDirectory())
        .contains(Path.of("/home/u/.local/state/millrace"));
    assertThat(link(stateHome, home).stateDirectory()).contains(Path.of("/state/millrace"));
    assertThat(link(stateHome, home).isStateDirectoryChosen()).isFalse();
    assertThat(
            link(Map.of("XDG_STATE_HOME", "relative"), Map.of("user.home", "?")).stateDirectory())
        .isEmpty();
    assertThat(link(Map.of("STATE_DIR", "/chosen"), home).stateDirectory())
        .contains(Path.of("/chosen"));
    assertThat(link(Map.of("STATE_DIR", "/chosen"), home).isStateDirectoryChosen()).isTrue();
  }

  private LinkConfig link(Map<String, String> environment, Map<String, String> properties)
      throws ConfigException {
    return new ConfigReader(environment, properties, Map.of(), directory).read().config().link();
  }

  @Test
  void letsTheBindAddressOverrideHostAndPort_butNotAStrongerSource() throws Exception {
    Map<String, String> environment =
        Map.of("GUNICORN_BIND", "[::1]:7001", "HOST", "127.0.0.9", "PORT", "7002");

    assertThat(environment(environment).config().server()).isEqualTo(server("::1", 7001));
    assertThat(
            new ConfigReader(environment, Map.of(), Map.of("PORT", "7003"), directory)
                .read()
                .config()
                .server())
        .isEqualTo(server("::1", 7003));
  }

  @Test
  void reportsAllProblemsAtOnce() throws Exception {
    Files.writeString(
        directory.resolve("bad.toml"), "[server]\nprot = 1\n[proxy]\ntimeout = \"soon\"\n");
    Files.writeString(directory.resolve(".env"), "PORT=1\nnonsense with secret\n");

    ConfigException refused =
        refused(
            Map.of(
                "CONFIG_PATH", "bad.toml",
                "PORT", "http",
                "API_PASSWORD", "changeme",
                "ORIGIN_PERMITS", "50",
                "MAX_CONNECTIONS_PER_ORIGIN", "10",
                "BUFFER_MEMORY", "12 apples",
                "APP__AUTH__API_PASWORD", "hunter2",
                "MILLRACE_HOTS", "x",
                "HOTS", "not ours"));

    assertThat(refused.problems())
        .containsExactlyInAnyOrder(
            ".env line 2: unreadable (expected: NAME=value)",
            "PORT (environment PORT): \"http\" (expected: a whole number from 0 to 65535)",
            "API_PASSWORD (environment API_PASSWORD): refused (expected: a password of your own;"
                + " 'changeme' is published and refused)",
            "TIMEOUT (bad.toml proxy.timeout): \"soon\" (expected: seconds from 0.05 to 86400,"
                + " decimals allowed)",
            "BUFFER_MEMORY (environment BUFFER_MEMORY): \"12 apples\" (expected: a size from 1m to"
                + " 64g (bytes, or with k, m, g))",
            "ORIGIN_PERMITS: \"50\" (expected: at most MAX_CONNECTIONS_PER_ORIGIN, which is 10)",
            "server.prot (bad.toml): unknown setting",
            "APP__AUTH__API_PASWORD (environment): unknown setting",
            "MILLRACE_HOTS (environment): unknown setting");
    assertThat(refused).hasMessageNotContainingAny("hunter2", "nonsense");
  }

  @Test
  void refusesWhatIsBeyondItsBounds() {
    assertThat(refused(Map.of("PORT", "65536", "TIMEOUT", "0", "ORIGIN_PERMITS", "0")).problems())
        .hasSize(3);
    assertThat(
            refused(
                    Map.of(
                        "UPSTREAM_RETRY_ATTEMPTS", "21",
                        "UPSTREAM_RETRY_DELAY", "0",
                        "UPSTREAM_RETRY_BUDGET", "3601",
                        "UPSTREAM_RETRY_ON_DISCONNECT", "perhaps"))
                .problems())
        .hasSize(4);
    assertThat(refused(Map.of("TIMEOUT", "1e3", "PORT", "99999999999")).problems()).hasSize(2);
    assertThat(refused(Map.of("BUFFER_MEMORY", "999999999999g")).problems()).hasSize(1);
    assertThat(refused(Map.of("ALLOW_TARGETS", "loopback,10.0.0.0/33")).problems()).hasSize(1);
    assertThat(refused(Map.of("USER_AGENT", "a\r\nX: y")).problems()).hasSize(1);
    assertThat(refused(Map.of("GUNICORN_BIND", "unix:/run/x")).problems()).hasSize(1);
  }

  @Test
  void namesTheLine_whenTheTomlFileIsBroken() throws Exception {
    Files.writeString(directory.resolve("x.toml"), "[auth]\napi_password = hunter2\n");

    assertThat(refused(Map.of("CONFIG_PATH", "x.toml")).problems())
        .singleElement()
        .asString()
        .startsWith("x.toml line 2")
        .doesNotContain("hunter2");
    assertThat(refused(Map.of("CONFIG_PATH", "missing.toml")).problems())
        .containsExactly("CONFIG_PATH missing.toml: no such file");
  }

  @Test
  void warnsOnce_whenSettingsOfLaterVersionsAreSet() throws IOException, ConfigException {
    Files.writeString(
        directory.resolve("x.toml"),
        """
        [server]
        workers = 4
        [proxy]
        buffer_size = 1
        """);

    LoadedConfig loaded =
        environment(
            Map.of(
                "CONFIG_PATH", "x.toml",
                "REDIS_URL", "redis://user:pass@r:6379",
                "ENABLE_TELEGRAM", "true",
                "APP__SERVER__WORKERS", "4",
                "GUNICORN_WORKERS", "4",
                "MILLRACE_JAVA_OPTS", "-Xmx1g"));

    assertThat(loaded.warnings())
        .containsExactly("Set, but without effect in this version: ENABLE_TELEGRAM, REDIS_URL");
  }

  @Test
  void neverShowsThePassword() throws Exception {
    LoadedConfig loaded = environment(Map.of("API_PASSWORD", "hunter2"));

    assertThat(loaded.toString()).doesNotContain("hunter2");
    assertThat(loaded.settings())
        .contains(new SettingValue("API_PASSWORD", "***", "environment API_PASSWORD"));
  }

  @Test
  void readsLogLevelsOfOlderPrograms() throws Exception {
    assertThat(environment(Map.of("LOG_LEVEL", "warning")).logLevel()).isEqualTo(LogLevel.WARN);
    assertThat(environment(Map.of("LOG_LEVEL", "CRITICAL")).logLevel()).isEqualTo(LogLevel.ERROR);
    assertThat(refused(Map.of("LOG_LEVEL", "chatty")).problems()).hasSize(1);
  }

  @Test
  void everyDefaultReadsBackAsItself() {
    assertThat(Settings.ALL)
        .filteredOn(setting -> !setting.defaultText().isEmpty())
        .allSatisfy(
            setting ->
                assertThat((Object) setting.syntax().parse(setting.defaultText()))
                    .isEqualTo(setting.defaultValue()));
  }

  private LoadedConfig environment(Map<String, String> environment) throws ConfigException {
    return new ConfigReader(environment, Map.of(), Map.of(), directory).read();
  }

  private ConfigException refused(Map<String, String> environment) {
    return catchThrowableOfType(ConfigException.class, () -> environment(environment));
  }

  private static ServerConfig server(String host, int port) {
    ServerConfig defaults = ServerConfig.defaults();
    return new ServerConfig(
        host,
        port,
        defaults.acceptQueue(),
        defaults.idleTimeout(),
        defaults.drainTimeout(),
        defaults.tls());
  }
}
