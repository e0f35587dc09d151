package dev.millrace.proxy;

/** Where the media segments of a playlist lead. Playlists, keys and all else are always ours. */
public enum ContentRouting {
  /** To this server. */
  MEDIAFLOW,
  /** To the origin itself. */
  DIRECT,
  /** To the streaming server of a Stremio installation, which asks the origin. */
  STREMIO
}
