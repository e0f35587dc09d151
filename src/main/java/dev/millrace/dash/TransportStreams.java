package dev.millrace.dash;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Which profiles can be MPEG transport streams (contract §1.9): all codecs of theirs can. */
final class TransportStreams {
  private static final List<String> CODECS =
      List.of("avc1.", "avc3.", "hvc1.", "hev1.", "mp4a.40.", "mp4a.a5", "mp4a.a6", "ac-3", "ec-3");

  private TransportStreams() {}

  /** Whether all of its segments can, so that no player gets both. */
  static boolean carry(Profile profile) {
    return profile.members().stream().allMatch(member -> carry(member.representation()));
  }

  static boolean carry(Representation representation) {
    List<String> codecs =
        Arrays.stream(representation.codecs().orElse("").split(",", -1))
            .map(codec -> codec.strip().toLowerCase(Locale.ROOT))
            .toList();
    return representation.mimeType().endsWith("/mp4")
        && codecs.stream().allMatch(codec -> CODECS.stream().anyMatch(codec::startsWith));
  }
}
