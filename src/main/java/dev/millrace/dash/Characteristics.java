package dev.millrace.dash;

import dev.millrace.dash.AdaptationSet.Kind;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code CHARACTERISTICS} of a rendition (RFC 8216 §4.3.4.1), from roles and accessibility. */
final class Characteristics {
  /** TV-Anytime, as ISO/IEC 23009-1 annex and DVB use it for accessibility. */
  private static final String AUDIO_PURPOSE = "urn:tva:metadata:cs:AudioPurposeCS:2007=";

  private static final List<String> CAPTIONS =
      List.of(
          "public.accessibility.transcribes-spoken-dialog",
          "public.accessibility.describes-music-and-sound");

  private Characteristics() {}

  /** Comma-separated; empty if there are none. */
  static Optional<String> of(AdaptationSet set) {
    Set<String> tags = new LinkedHashSet<>();
    boolean isAudio = set.kind() == Kind.AUDIO;
    for (String role : set.roles()) {
      switch (role) {
        case "description" -> tags.addAll(isAudio ? List.of(describesVideo()) : List.of());
        case "caption" -> tags.addAll(isAudio ? List.of() : CAPTIONS);
        case "easyreader" -> tags.add("public.easy-to-read");
        case "enhanced-audio-intelligibility" ->
            tags.add("public.accessibility.enhances-speech-intelligibility");
        default -> {}
      }
    }
    if (isAudio && set.accessibilities().contains(AUDIO_PURPOSE + 1)) {
      tags.add(describesVideo());
    }
    if (!isAudio && set.accessibilities().contains(AUDIO_PURPOSE + 2)) {
      tags.addAll(CAPTIONS);
    }
    return tags.isEmpty() ? Optional.empty() : Optional.of(String.join(",", tags));
  }

  private static String describesVideo() {
    return "public.accessibility.describes-video";
  }
}
