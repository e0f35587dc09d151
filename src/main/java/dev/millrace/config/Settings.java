package dev.millrace.config;

import static dev.millrace.config.Syntax.onOff;
import static dev.millrace.config.Syntax.optional;
import static dev.millrace.config.Syntax.seconds;
import static dev.millrace.config.Syntax.wholeNumber;

import dev.millrace.cache.CacheConfig;
import dev.millrace.cenc.CencConfig;
import dev.millrace.link.LinkConfig;
import dev.millrace.link.LinkFormat;
import dev.millrace.proxy.ContentRouting;
import dev.millrace.proxy.FrontEndConfig;
import dev.millrace.proxy.HlsConfig;
import dev.millrace.proxy.ProxyConfig;
import dev.millrace.servlet.ForwardConfig;
import dev.millrace.servlet.OperationConfig;
import dev.millrace.servlet.RelayConfig;
import dev.millrace.upstream.PublicIpConfig;
import dev.millrace.upstream.RouteConfig;
import dev.millrace.upstream.UpstreamConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The table of settings: every name that is read, and every name that is known without being read.
 * {@code docs/settings.md} is made from it.
 */
final class Settings {
  private static final ServerConfig SERVER = ServerConfig.defaults();
  private static final ProxyConfig PROXY = ProxyConfig.defaults();
  private static final UpstreamConfig UPSTREAM = UpstreamConfig.defaults();
  private static final RelayConfig RELAY = RelayConfig.defaults();
  private static final OperationConfig OPERATION = OperationConfig.defaults();
  private static final LinkConfig LINK = LinkConfig.defaults();
  private static final FrontEndConfig FRONT_END = FrontEndConfig.defaults();
  private static final PublicIpConfig PUBLIC_ADDRESS = PublicIpConfig.defaults();
  private static final ForwardConfig FORWARD = ForwardConfig.defaults();

  private static final HlsConfig HLS = HlsConfig.defaults();
  private static final CacheConfig CACHE = CacheConfig.defaults();

  private static final Duration SHORTEST = Duration.ofMillis(50);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);

  static final Setting<Optional<String>> CONFIG_PATH =
      new Setting<>(
          "CONFIG_PATH",
          Optional.empty(),
          optional(Syntax.line(4096)),
          Optional.empty(),
          false,
          "A TOML file with settings. Not read from the file itself.");

  static final Setting<String> HOST =
      Setting.of(
          "HOST",
          "server.host",
          Syntax.host(),
          SERVER.host(),
          "Address to listen on. With a password and no `HOST`: `0.0.0.0`.");

  static final Setting<Integer> PORT =
      Setting.of(
          "PORT",
          "server.port",
          wholeNumber(0, 65_535),
          SERVER.port(),
          "Port to listen on; 0: any free one.");

  static final Setting<Optional<BindAddress>> GUNICORN_BIND =
      new Setting<>(
          "GUNICORN_BIND",
          Optional.empty(),
          optional(Syntax.bindAddress()),
          Optional.empty(),
          false,
          "Overrides `HOST` and `PORT` of the same source and of weaker ones.");

  static final Setting<Optional<String>> API_PASSWORD =
      new Setting<>(
          "API_PASSWORD",
          Optional.of("auth.api_password"),
          optional(Syntax.password("changeme")),
          Optional.empty(),
          true,
          "Password of the proxy routes; blanks round it do not count. Unset: the server is open.");

  static final Setting<Optional<Path>> TLS_CERTIFICATE =
      Setting.of(
          "TLS_CERTIFICATE",
          "server.tls_certificate",
          optional(Syntax.file()),
          Optional.empty(),
          "Certificate chain in PEM form, the server's own first: `PORT` then speaks https, HTTP/2"
              + " and HTTP/1.1. Read again within a minute when the file changes.");

  static final Setting<Optional<Path>> TLS_KEY =
      Setting.of(
          "TLS_KEY",
          "server.tls_key",
          optional(Syntax.file()),
          Optional.empty(),
          "Private key of the certificate in PEM form: RSA, EC or Ed25519.");

  static final Setting<Optional<String>> TLS_KEY_PASSWORD =
      new Setting<>(
          "TLS_KEY_PASSWORD",
          Optional.of("server.tls_key_password"),
          optional(Syntax.secret()),
          Optional.empty(),
          true,
          "What opens `TLS_KEY` if it is encrypted.");

  static final Setting<Boolean> TLS_SELF_SIGNED =
      Setting.of(
          "TLS_SELF_SIGNED",
          "server.tls_self_signed",
          onOff(),
          false,
          "https with a certificate made at each start, which clients have to be told to trust.");

  static final Setting<LogLevel> LOG_LEVEL =
      Setting.of(
          "LOG_LEVEL",
          "server.log_level",
          Syntax.oneOf(LogLevel.class, LogLevel::read),
          LogLevel.INFO,
          "How much is logged.");

  static final Setting<String> USER_AGENT =
      Setting.of(
          "USER_AGENT",
          "proxy.user_agent",
          Syntax.line(1024),
          PROXY.userAgent(),
          "`User-Agent` sent to origins when the request names none.");

  static final Setting<Boolean> ALLOW_HOST_HEADER =
      Setting.of(
          "ALLOW_HOST_HEADER",
          "proxy.allow_host_header",
          onOff(),
          PROXY.allowHostHeader(),
          "Whether `h_host` may name another virtual host than the target's.");

  static final Setting<List<String>> ALLOW_TARGETS =
      Setting.of(
          "ALLOW_TARGETS",
          "proxy.allow_targets",
          Syntax.list(
              "loopback, private, addresses, CIDR blocks, host names or host:port",
              UpstreamConfig::checkedTargets),
          UPSTREAM.allowTargets(),
          "Internal targets that may be contacted. Origins on your own network: `private`.");

  static final Setting<Boolean> DISABLE_SSL_VERIFICATION_GLOBALLY =
      Setting.of(
          "DISABLE_SSL_VERIFICATION_GLOBALLY",
          "proxy.disable_ssl_verification_globally",
          onOff(),
          !UPSTREAM.verifyTls(),
          "Accept any certificate of any origin.");

  static final Setting<Optional<String>> PROXY_URL =
      new Setting<>(
          "PROXY_URL",
          Optional.of("proxy.proxy_url"),
          optional(Syntax.proxyUrl()),
          UPSTREAM.routes().proxyUrl(),
          true,
          "Forward proxy of routes that name none, and of everything else with `ALL_PROXY`. With"
              + " `socks4` and `socks5` names are looked up here, else by the proxy.");

  static final Setting<Boolean> ALL_PROXY =
      Setting.of(
          "ALL_PROXY",
          "proxy.all_proxy",
          onOff().except(text -> text.contains("://")),
          UPSTREAM.routes().allProxy(),
          "Whether targets without a route go through `PROXY_URL`. An address here, as other"
              + " programs know it, is ignored with a warning.");

  static final Setting<List<RouteConfig.Route>> TRANSPORT_ROUTES =
      new Setting<>(
          "TRANSPORT_ROUTES",
          Optional.of("proxy.transport_routes"),
          TransportRoutes.syntax(),
          UPSTREAM.routes().routes(),
          true,
          "How certain targets are reached. Patterns: `http://`, `https://` or `all://`, then a"
              + " host, `*.domain` or nothing, then perhaps a port; the most specific wins."
              + " Defaults: `proxy` true, `proxy_url` that of `PROXY_URL`, `verify_ssl` true.");

  static final Setting<Optional<String>> TRANSPORT_CONFIG =
      new Setting<>(
          "TRANSPORT_CONFIG",
          Optional.empty(),
          optional(TransportConfig.syntax()),
          Optional.empty(),
          true,
          "Several settings in one; each of them wins over this under its own name.");

  static final Setting<Duration> CONNECT_TIMEOUT =
      Setting.of(
          "CONNECT_TIMEOUT",
          "proxy.connect_timeout",
          seconds(SHORTEST, HOUR),
          UPSTREAM.connectTimeout(),
          "Seconds for one TCP connect. What follows on the connection, a TLS handshake too, counts"
              + " against `TIMEOUT`.");

  static final Setting<Duration> TIMEOUT =
      Setting.of(
          "TIMEOUT",
          "proxy.timeout",
          seconds(SHORTEST, DAY),
          UPSTREAM.idleTimeout(),
          "Seconds until an origin's headers, and of silence while its bytes are wanted. There is"
              + " no limit on the whole.");

  static final Setting<Boolean> UPSTREAM_RETRY_ON_DISCONNECT =
      Setting.of(
          "UPSTREAM_RETRY_ON_DISCONNECT",
          "origin.retry_on_disconnect",
          onOff(),
          UPSTREAM.resume().enabled(),
          "Whether a body that its origin cuts is taken up again from the next byte.");

  static final Setting<Integer> UPSTREAM_RETRY_ATTEMPTS =
      Setting.of(
          "UPSTREAM_RETRY_ATTEMPTS",
          "origin.retry_attempts",
          wholeNumber(0, 20),
          UPSTREAM.resume().attempts(),
          "Attempts in a row without a good byte before a cut body is given up; also how often an"
              + " origin that cannot be reached, or is busy, is asked again before its headers.");

  static final Setting<Duration> UPSTREAM_RETRY_DELAY =
      Setting.of(
          "UPSTREAM_RETRY_DELAY",
          "origin.retry_delay",
          seconds(SHORTEST, HOUR),
          UPSTREAM.resume().delay(),
          "Seconds before each attempt but the first, which is made at once. Before headers the"
              + " wait is shorter, and this its upper limit.");

  static final Setting<Duration> UPSTREAM_RETRY_BUDGET =
      Setting.of(
          "UPSTREAM_RETRY_BUDGET",
          "origin.retry_budget",
          seconds(SHORTEST, HOUR),
          UPSTREAM.resume().budget(),
          "Seconds that attempts in a row may take together, up to the next good byte.");

  static final Setting<Integer> ORIGIN_PERMITS =
      Setting.of(
          "ORIGIN_PERMITS",
          "origin.permits",
          wholeNumber(1, 10_000),
          UPSTREAM.gatePermits(),
          "Requests to one origin that may be in their first moments at a time.");

  static final Setting<Integer> ORIGIN_QUEUE =
      Setting.of(
          "ORIGIN_QUEUE",
          "origin.queue",
          wholeNumber(0, 1_000_000),
          UPSTREAM.gateWaiting(),
          "Requests to one origin that may wait for a permit; more get 503.");

  static final Setting<Duration> ORIGIN_QUEUE_TIMEOUT =
      Setting.of(
          "ORIGIN_QUEUE_TIMEOUT",
          "origin.queue_timeout",
          seconds(SHORTEST, HOUR),
          UPSTREAM.gateTimeout(),
          "Seconds one of them waits before it gets 503.");

  static final Setting<Integer> MAX_CONNECTIONS_PER_ORIGIN =
      Setting.of(
          "MAX_CONNECTIONS_PER_ORIGIN",
          "origin.max_connections",
          wholeNumber(1, 65_535),
          UPSTREAM.maxConnections(),
          "Connections to one origin, hard cap; long streams count.");

  static final Setting<Duration> POOLED_IDLE_TIMEOUT =
      Setting.of(
          "POOLED_IDLE_TIMEOUT",
          "origin.pooled_idle_timeout",
          seconds(SHORTEST, HOUR),
          UPSTREAM.pooledIdleTimeout(),
          "Seconds an unused connection to an origin is kept.");

  static final Setting<Boolean> ORIGIN_HTTP2 =
      Setting.of(
          "ORIGIN_HTTP2",
          "origin.http2",
          onOff(),
          UPSTREAM.http2(),
          "Whether HTTP/2 is offered to https origins. One connection then carries up to 100"
              + " requests, each of which takes 256 KiB more of `BUFFER_MEMORY`.");

  static final Setting<Duration> CLIENT_IDLE_TIMEOUT =
      Setting.of(
          "CLIENT_IDLE_TIMEOUT",
          "server.client_idle_timeout",
          seconds(SHORTEST, Duration.ofDays(7)),
          RELAY.clientIdleTimeout(),
          "Seconds a client may take no byte (a paused player) before it is cut off.");

  static final Setting<Long> BUFFER_MEMORY =
      Setting.of(
          "BUFFER_MEMORY",
          "server.buffer_memory",
          Syntax.size(1L << 20, 64L << 30),
          RELAY.bufferMemoryBytes(),
          "Direct memory that running exchanges may pin together; more get 503. Must stay below the"
              + " JVM's `-XX:MaxDirectMemorySize`.");

  static final Setting<Duration> DRAIN_TIMEOUT =
      Setting.of(
          "DRAIN_TIMEOUT",
          "server.drain_timeout",
          seconds(Duration.ZERO, DAY),
          SERVER.drainTimeout(),
          "Seconds running streams may go on once the server is told to stop; then they are broken"
              + " off. 0: at once.");

  static final Setting<Boolean> METRICS =
      Setting.of(
          "METRICS",
          "server.metrics",
          onOff(),
          OPERATION.metrics(),
          "Count and time, and show it on `/metrics` and by JMX.");

  static final Setting<Boolean> ACCESS_LOG =
      Setting.of(
          "ACCESS_LOG",
          "server.access_log",
          onOff(),
          OPERATION.accessLog(),
          "Log a line for every request (logger `dev.millrace.access`, level `INFO`).");

  static final Setting<Boolean> DISABLE_HOME_PAGE =
      Setting.of(
          "DISABLE_HOME_PAGE",
          "server.disable_home_page",
          onOff(),
          !OPERATION.homePage(),
          "Answer `/` with 403.");

  static final Setting<Boolean> DISABLE_DOCS =
      Setting.of(
          "DISABLE_DOCS",
          "server.disable_docs",
          onOff(),
          !OPERATION.docs(),
          "Answer `/docs`, `/redoc` and `/openapi.json` with 403.");

  static final Setting<Boolean> DISABLE_SPEEDTEST =
      Setting.of(
          "DISABLE_SPEEDTEST",
          "server.disable_speedtest",
          onOff(),
          !OPERATION.speedTest(),
          "Answer every path that begins with `/speedtest` with 403.");

  static final Setting<List<String>> LINK_SECRET =
      new Setting<>(
          "LINK_SECRET",
          Optional.of("links.secret"),
          Syntax.list(
              "at most "
                  + LinkConfig.MAX_SECRETS
                  + " texts of at least "
                  + LinkConfig.MIN_SECRET_LENGTH
                  + " characters, newest first",
              LinkConfig::checkedSecrets),
          LINK.secrets(),
          true,
          "What links are sealed with, together with the password. The first seals, all open: put a"
              + " new one in front, and take the old one out once its links are no longer needed."
              + " Unset: one is made and kept in `STATE_DIR`.");

  static final Setting<Optional<Path>> STATE_DIR =
      Setting.of(
          "STATE_DIR",
          "server.state_dir",
          optional(Syntax.file()),
          LINK.stateDirectory(),
          "Directory for what has to survive a restart; made if it is missing. Unset:"
              + " `$XDG_STATE_HOME/millrace`, or `.local/state/millrace` in the home directory.");

  static final Setting<LinkFormat> LINK_FORMAT =
      Setting.of(
          "LINK_FORMAT",
          "links.format",
          Syntax.oneOf(LinkFormat.class, LinkFormat::valueOf),
          LINK.format(),
          "How links are sealed that this server makes. `COMPATIBLE`: as older proxies do it, for"
              + " servers that share one password.");

  static final Setting<Boolean> ACCEPT_COMPATIBLE_LINKS =
      Setting.of(
          "ACCEPT_COMPATIBLE_LINKS",
          "links.accept_compatible",
          onOff(),
          LINK.acceptsCompatible(),
          "Whether links are believed that older proxies, or clients, have sealed with the"
              + " password.");

  static final Setting<List<String>> FORWARDED_ALLOW_IPS =
      Setting.of(
          "FORWARDED_ALLOW_IPS",
          "server.forwarded_allow_ips",
          Syntax.list(
              "addresses and CIDR blocks, or an asterisk",
              Syntax.explained(FrontEndConfig::checkedTrusted)),
          FRONT_END.trusted(),
          "Front ends whose forwarding fields are believed: client address, scheme, host, prefix."
              + " `*`: everybody's. See [security.md](security.md).");

  static final Setting<Optional<String>> PUBLIC_URL =
      Setting.of(
          "PUBLIC_URL",
          "server.public_url",
          optional(
              new Syntax<>(
                  "an http or https address without query",
                  Syntax.explained(FrontEndConfig::checkedPublicUrl),
                  UnaryOperator.identity())),
          FRONT_END.publicUrl(),
          "The address of this server for clients, such as `https://proxy.example/path`, whatever"
              + " requests say.");

  static final Setting<String> ROOT_PATH =
      Setting.of(
          "ROOT_PATH",
          "server.root_path",
          new Syntax<>(
              "a path of letters, digits and -._~",
              Syntax.explained(FrontEndConfig::checkedRootPath),
              UnaryOperator.identity()),
          FRONT_END.rootPath(),
          "Path in front of all routes, such as `/millrace`; requests may come with it or without.");

  static final Setting<Optional<String>> PUBLIC_IP =
      Setting.of(
          "PUBLIC_IP",
          "proxy.public_ip",
          optional(
              new Syntax<>(
                  "an IP address", PublicIpConfig::checkedAddress, UnaryOperator.identity())),
          PUBLIC_ADDRESS.address(),
          "The address under which origins see this server. Unset: it is asked for.");

  static final Setting<List<String>> PUBLIC_IP_SERVICES =
      new Setting<>(
          "PUBLIC_IP_SERVICES",
          Optional.of("proxy.public_ip_services"),
          Syntax.list("1 to 8 http or https addresses", PublicIpConfig::checkedServices),
          PUBLIC_ADDRESS.services(),
          true,
          "Services that tell it, asked in this order.");

  static final Setting<List<String>> FORWARD_ALLOWED_HOSTS =
      Setting.of(
          "FORWARD_ALLOWED_HOSTS",
          "forward.allowed_hosts",
          Syntax.list(
              "host names, addresses or `*.domain`", Syntax.explained(ForwardConfig::checkedHosts)),
          FORWARD.allowedHosts(),
          "The only hosts to which `/proxy/forward` forwards. Empty: any that may be contacted.");

  static final Setting<List<String>> FORWARD_DENIED_HOSTS =
      Setting.of(
          "FORWARD_DENIED_HOSTS",
          "forward.denied_hosts",
          Syntax.list(
              "host names, addresses or `*.domain`", Syntax.explained(ForwardConfig::checkedHosts)),
          FORWARD.deniedHosts(),
          "Hosts to which it never does.");

  static final Setting<Long> FORWARD_MAX_REQUEST_BODY_BYTES =
      Setting.of(
          "FORWARD_MAX_REQUEST_BODY_BYTES",
          "forward.max_request_body_bytes",
          Syntax.size(0, 1L << 40),
          FORWARD.maxRequestBodyBytes(),
          "Longest body that it sends; longer ones get 413.");

  static final Setting<Long> FORWARD_MAX_RESPONSE_BODY_BYTES =
      Setting.of(
          "FORWARD_MAX_RESPONSE_BODY_BYTES",
          "forward.max_response_body_bytes",
          Syntax.size(0, 1L << 40),
          FORWARD.maxResponseBodyBytes(),
          "Longest body that it brings back; longer ones get 502, or are broken off.");

  static final Setting<ContentRouting> M3U8_CONTENT_ROUTING =
      Setting.of(
          "M3U8_CONTENT_ROUTING",
          "hls.content_routing",
          Syntax.oneOf(ContentRouting.class, ContentRouting::valueOf),
          HLS.routing(),
          "Where the segments of playlists lead: here, to the origin itself (`DIRECT`), or to the"
              + " server of `STREMIO_PROXY_URL`. Playlists and keys always lead here.");

  static final Setting<Optional<String>> STREMIO_PROXY_URL =
      Setting.of(
          "STREMIO_PROXY_URL",
          "hls.stremio_proxy_url",
          optional(
              new Syntax<>(
                  "an http or https address without query",
                  Syntax.explained(FrontEndConfig::checkedPublicUrl),
                  UnaryOperator.identity())),
          HLS.stremioUrl(),
          "A Stremio streaming server, such as `http://127.0.0.1:11470`.");

  static final Setting<Optional<Double>> LIVESTREAM_START_OFFSET =
      Setting.of(
          "LIVESTREAM_START_OFFSET",
          "hls.livestream_start_offset",
          Syntax.decimalOrOff(-86_400, 86_400),
          HLS.liveStartSeconds(),
          "Where players begin in a live playlist that does not say so itself: seconds from its"
              + " end if negative. `off`: where they like.");

  static final Setting<Boolean> GRACEFUL_STREAM_END =
      Setting.of(
          "GRACEFUL_STREAM_END",
          "hls.graceful_stream_end",
          onOff(),
          HLS.isGraceful(),
          "Answer what is no playlist with one that has ended, as older proxies do, in place of"
              + " 502.");

  static final Setting<Long> SEGMENT_CACHE =
      Setting.of(
          "SEGMENT_CACHE",
          "hls.segment_cache",
          Syntax.size(0, 16L << 30),
          CACHE.maxBytes(),
          "Memory, outside of the heap, for segments that several viewers share; 0: nothing is"
              + " shared or fetched ahead.");

  static final Setting<Duration> HLS_SEGMENT_CACHE_TTL =
      Setting.of(
          "HLS_SEGMENT_CACHE_TTL",
          "hls.segment_cache_ttl",
          seconds(Duration.ofSeconds(1), DAY),
          CACHE.retention(),
          "Seconds a segment is kept after it has arrived, if the origin does not say so itself.");

  static final Setting<Boolean> ENABLE_HLS_PREBUFFER =
      Setting.of(
          "ENABLE_HLS_PREBUFFER",
          "hls.prebuffer",
          onOff(),
          CACHE.prefetchSegments() > 0,
          "Whether the segments are fetched ahead that a viewer will want next.");

  static final Setting<Integer> HLS_PREBUFFER_SEGMENTS =
      Setting.of(
          "HLS_PREBUFFER_SEGMENTS",
          "hls.prebuffer_segments",
          wholeNumber(0, 100),
          CACHE.prefetchSegments(),
          "How many of them.");

  static final Setting<Duration> HLS_PREBUFFER_INACTIVITY_TIMEOUT =
      Setting.of(
          "HLS_PREBUFFER_INACTIVITY_TIMEOUT",
          "hls.prebuffer_inactivity_timeout",
          seconds(Duration.ofSeconds(1), DAY),
          CACHE.prefetchIdle(),
          "Seconds without a request after which a viewer counts as gone.");

  static final Setting<CencConfig.Provider> CRYPTO_PROVIDER =
      Setting.of(
          "CRYPTO_PROVIDER",
          "cenc.crypto_provider",
          Syntax.oneOf(CencConfig.Provider.class, CencConfig.Provider::valueOf),
          CencConfig.defaults().provider(),
          "Who decrypts protected media: the Java platform, or Bouncy Castle (`BC`), which is slower"
              + " and gives the same bytes.");

  static final List<Setting<?>> ALL =
      List.of(
          HOST,
          PORT,
          GUNICORN_BIND,
          TLS_CERTIFICATE,
          TLS_KEY,
          TLS_KEY_PASSWORD,
          TLS_SELF_SIGNED,
          API_PASSWORD,
          LINK_SECRET,
          STATE_DIR,
          LINK_FORMAT,
          ACCEPT_COMPATIBLE_LINKS,
          FORWARDED_ALLOW_IPS,
          PUBLIC_URL,
          ROOT_PATH,
          ALLOW_TARGETS,
          USER_AGENT,
          ALLOW_HOST_HEADER,
          CONNECT_TIMEOUT,
          TIMEOUT,
          DISABLE_SSL_VERIFICATION_GLOBALLY,
          UPSTREAM_RETRY_ON_DISCONNECT,
          UPSTREAM_RETRY_ATTEMPTS,
          UPSTREAM_RETRY_DELAY,
          UPSTREAM_RETRY_BUDGET,
          PROXY_URL,
          ALL_PROXY,
          TRANSPORT_ROUTES,
          TRANSPORT_CONFIG,
          ORIGIN_PERMITS,
          ORIGIN_QUEUE,
          ORIGIN_QUEUE_TIMEOUT,
          MAX_CONNECTIONS_PER_ORIGIN,
          POOLED_IDLE_TIMEOUT,
          ORIGIN_HTTP2,
          PUBLIC_IP,
          PUBLIC_IP_SERVICES,
          FORWARD_ALLOWED_HOSTS,
          FORWARD_DENIED_HOSTS,
          FORWARD_MAX_REQUEST_BODY_BYTES,
          FORWARD_MAX_RESPONSE_BODY_BYTES,
          M3U8_CONTENT_ROUTING,
          STREMIO_PROXY_URL,
          LIVESTREAM_START_OFFSET,
          GRACEFUL_STREAM_END,
          SEGMENT_CACHE,
          HLS_SEGMENT_CACHE_TTL,
          ENABLE_HLS_PREBUFFER,
          HLS_PREBUFFER_SEGMENTS,
          HLS_PREBUFFER_INACTIVITY_TIMEOUT,
          CRYPTO_PROVIDER,
          CLIENT_IDLE_TIMEOUT,
          BUFFER_MEMORY,
          DRAIN_TIMEOUT,
          DISABLE_HOME_PAGE,
          DISABLE_DOCS,
          DISABLE_SPEEDTEST,
          METRICS,
          ACCESS_LOG,
          LOG_LEVEL,
          CONFIG_PATH);

  /** Those that say how the standalone server runs; in a web application its container does. */
  static final List<Setting<?>> OF_SERVER =
      List.of(
          HOST,
          PORT,
          GUNICORN_BIND,
          TLS_CERTIFICATE,
          TLS_KEY,
          TLS_KEY_PASSWORD,
          TLS_SELF_SIGNED,
          DRAIN_TIMEOUT,
          LOG_LEVEL);

  private Settings() {}
}
