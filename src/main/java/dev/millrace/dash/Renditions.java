package dev.millrace.dash;

import dev.millrace.dash.AdaptationSet.Kind;

/** Which representations of a presentation HLS can carry, and which of them are listed. */
final class Renditions {
  private Renditions() {}

  /** Whether it is a text file of its own, and no segment of ISO media. */
  static boolean isSidecar(Representation representation) {
    return representation.mimeType().equals("text/vtt");
  }

  /** Whether a playlist may name it. */
  static boolean isListed(Profile.InPeriod member) {
    if (!member.set().isPlayed()) {
      return false;
    }
    return member.set().kind() != Kind.TEXT || isSubtitles(member.representation());
  }

  /** WebVTT, on its own or in ISO media, and TTML as text; pictures are not. */
  private static boolean isSubtitles(Representation representation) {
    String codecs = representation.codecs().orElse("");
    return isSidecar(representation)
        || codecs.startsWith("wvtt")
        || (codecs.startsWith("stpp") && !codecs.contains("im1i"));
  }
}
