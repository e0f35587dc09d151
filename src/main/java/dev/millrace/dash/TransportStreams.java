package dev.millrace.dash;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Which profiles can be MPEG transport streams (contract §1.9): all codecs of theirs can. */
final class TransportStreams {
  /** AAC is what ADTS can say: the object types 1 to 4 (5 and 29 with such a core). */
  private static final Pattern CODEC =
      Pattern.compile("(avc[13]|hvc1|hev1)\\..+|mp4a\\.(40\\.0?[1-5]|40\\.29|a[56])|[ae]c-3");

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
        && codecs.stream().allMatch(codec -> CODEC.matcher(codec).matches());
  }
}
