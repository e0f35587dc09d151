package dev.millrace.config;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The names of older programs and of the launcher that are known but set nothing here. */
final class OtherNames {
  /**
   * They tune a process model, or a cache, that does not exist here; accepting them silently does
   * no harm.
   */
  static final List<String> IGNORED =
      List.of(
          "GUNICORN_WORKERS",
          "WEB_CONCURRENCY",
          "GUNICORN_TIMEOUT",
          "GUNICORN_MAX_REQUESTS",
          "GUNICORN_MAX_REQUESTS_JITTER",
          "GUNICORN_WORKER_CLASS",
          "GUNICORN_ACCESS_LOGFILE",
          "GUNICORN_ERROR_LOGFILE",
          "GUNICORN_LOG_LEVEL",
          "CLEAR_CACHE_ON_STARTUP",
          "ENABLE_STREAMING_PROGRESS",
          "HLS_PREBUFFER_CACHE_SIZE",
          "HLS_PREBUFFER_MAX_MEMORY_PERCENT",
          "HLS_PREBUFFER_EMERGENCY_THRESHOLD",
          "RUST_LOG",
          "server.workers",
          "proxy.buffer_size",
          "proxy.follow_redirects");

  /** They ask for something that this version does not do: one warning tells so. */
  static final List<String> NOT_YET =
      List.of(
          "EPG_CACHE_TTL",
          "REDIS_URL",
          "CACHE_NAMESPACE",
          "ENABLE_TRANSCODE",
          "TRANSCODE_PREFER_GPU",
          "TRANSCODE_VIDEO_BITRATE",
          "TRANSCODE_AUDIO_BITRATE",
          "TRANSCODE_VIDEO_PRESET",
          "ENABLE_DASH_PREBUFFER",
          "DASH_PREBUFFER_SEGMENTS",
          "DASH_PREBUFFER_CACHE_SIZE",
          "DASH_PREBUFFER_MAX_MEMORY_PERCENT",
          "DASH_PREBUFFER_EMERGENCY_THRESHOLD",
          "DASH_PREBUFFER_INACTIVITY_TIMEOUT",
          "DASH_PREBUFFER_LOCK_TIMEOUT",
          "DASH_SEGMENT_CACHE_TTL",
          "DASH_PLAYER_LOCK_TIMEOUT",
          "DASH_PREFETCH_MAX_CONCURRENT",
          "DASH_LIVE_INITIAL_MEDIA_PREBUFFER",
          "MPD_LIVE_INIT_CACHE_TTL",
          "MPD_LIVE_PLAYLIST_DEPTH",
          "REMUX_TO_TS",
          "PROCESSED_SEGMENT_CACHE_TTL",
          "BYPARR_URL",
          "BYPARR_TIMEOUT",
          "ENABLE_ACESTREAM",
          "ACESTREAM_HOST",
          "ACESTREAM_PORT",
          "ACESTREAM_BUFFER_SIZE",
          "ACESTREAM_EMPTY_TIMEOUT",
          "ACESTREAM_SESSION_TIMEOUT",
          "ACESTREAM_KEEPALIVE_INTERVAL",
          "ENABLE_TELEGRAM",
          "TELEGRAM_API_ID",
          "TELEGRAM_API_HASH",
          "TELEGRAM_SESSION_STRING",
          "TELEGRAM_MAX_CONNECTIONS",
          "TELEGRAM_REQUEST_TIMEOUT",
          "TELEGRAM_DOCUMENT_SCAN_LIMIT",
          "TELEGRAM_DOCUMENT_CACHE_TTL");

  /** Read by {@code bin/millrace}, not by the server. */
  static final List<String> LAUNCHER = List.of("MILLRACE_JAVA_OPTS");

  private OtherNames() {}

  /** Whether a name, upper case, is one of these. */
  static boolean contains(String name) {
    return Stream.of(IGNORED, NOT_YET, LAUNCHER)
        .flatMap(List::stream)
        .anyMatch(other -> matches(other, name));
  }

  /** The name under which an upper-case name is announced as having no effect yet. */
  static Optional<String> notYet(String name) {
    return NOT_YET.stream().filter(other -> matches(other, name)).findFirst();
  }

  private static boolean matches(String other, String name) {
    return name.equals(other.toUpperCase(Locale.ROOT))
        || (other.contains(".") && name.equals(Setting.nestedName(other)));
  }
}
