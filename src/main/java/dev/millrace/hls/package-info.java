/**
 * HTTP Live Streaming playlists (RFC 8216, and draft-pantos-hls-rfc8216bis where it says more):
 * which addresses stand in one, and writing it with others in their place. Called by {@code proxy}
 * and {@code servlet}; knows no HTTP client, no container, no clock, and nothing of links: what
 * stands for an address is asked of a {@link dev.millrace.hls.UriRewriter}.
 */
@NullMarked
package dev.millrace.hls;

import org.jspecify.annotations.NullMarked;
