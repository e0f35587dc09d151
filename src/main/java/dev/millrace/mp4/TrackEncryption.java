package dev.millrace.mp4;

/**
 * Defaults of a protected track: scheme type (ISO/IEC 14496-12 §8.12.5) and track encryption box
 * (ISO/IEC 23001-7 §8.2), or those of PIFF.
 *
 * @param scheme its code: {@code cenc cens cbc1 cbcs}, {@code piff} for PIFF; 0 if it is not said
 * @param protection of its samples
 */
public record TrackEncryption(int scheme, SampleProtection protection) {}
