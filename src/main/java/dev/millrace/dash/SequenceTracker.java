package dev.millrace.dash;

/**
 * Numbers the segments of live playlists, so that a number stays with its segment from refresh to
 * refresh (RFC 8216 §6.2.2).
 */
public final class SequenceTracker {}
