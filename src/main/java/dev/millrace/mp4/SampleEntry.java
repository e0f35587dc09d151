package dev.millrace.mp4;

import java.util.Optional;

/**
 * A sample entry (ISO/IEC 14496-12 §8.5.2).
 *
 * @param type as it stands there: {@code avc1}, or {@code encv} if it is protected
 * @param format what it is when it is clear: {@code frma} if it is protected (§8.12.2), else the
 *     type
 * @param encryption how its samples are protected unless a sample group says otherwise
 * @param box the whole of it, in the array of the movie it was read from
 */
public record SampleEntry(int type, int format, Optional<TrackEncryption> encryption, Box box) {}
