package dev.millrace.hls;

/** What an address in a playlist leads to (RFC 8216bis §4.4). */
public enum UriKind {
  /** The line after {@code EXT-X-STREAM-INF}: a media playlist. */
  VARIANT,
  /** {@code EXT-X-MEDIA}: a media playlist. */
  RENDITION,
  /** {@code EXT-X-I-FRAME-STREAM-INF}: a media playlist. */
  I_FRAME_VARIANT,
  /** {@code EXT-X-IMAGE-STREAM-INF}: a media playlist of pictures. */
  IMAGE_VARIANT,
  /** {@code EXT-X-RENDITION-REPORT}: a media playlist. */
  RENDITION_REPORT,
  /** {@code X-ASSET-URI} of {@code EXT-X-DATERANGE}: a multivariant playlist. */
  ASSET,
  /** {@code X-ASSET-LIST} of {@code EXT-X-DATERANGE}: JSON that names assets. */
  ASSET_LIST,
  /** {@code EXT-X-CONTENT-STEERING}: JSON that names pathways. */
  STEERING,
  /** A line that is no tag: a media segment, or whatever else a list of addresses lists. */
  SEGMENT,
  /** {@code EXT-X-PART}: a part of a media segment. */
  PART,
  /** {@code EXT-X-PRELOAD-HINT}: a part, or a media initialization section, that comes next. */
  PRELOAD_HINT,
  /** {@code EXT-X-MAP}: a media initialization section. */
  MAP,
  /** {@code EXT-X-KEY}: a key. */
  KEY,
  /** {@code EXT-X-SESSION-KEY}: a key. */
  SESSION_KEY,
  /** {@code EXT-X-SESSION-DATA}: JSON or anything else. */
  SESSION_DATA
}
