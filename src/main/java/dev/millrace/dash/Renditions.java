package dev.millrace.dash;

import dev.millrace.dash.AdaptationSet.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Which representations of a presentation HLS can carry, and which of them playlists name. */
final class Renditions {
  /** A period that is not over counts as this: a year. */
  private static final long ENDLESS_NANOS = 365L * 24 * 3600 * MediaTime.NANOS_PER_SECOND;

  private Renditions() {}

  /** WebVTT that is not in ISO media. */
  static boolean isText(Representation representation) {
    return representation.mimeType().toLowerCase(Locale.ROOT).startsWith("text/vtt");
  }

  /** Whether it is one file of text. */
  static boolean isSidecar(Representation representation) {
    return isText(representation) && representation.addressing() instanceof Addressing.SegmentBase;
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
    String codecs = representation.codecs().orElse("").strip().toLowerCase(Locale.ROOT);
    return isText(representation)
        || codecs.startsWith("wvtt")
        || (codecs.startsWith("stpp") && !codecs.contains("im1i"));
  }

  /**
   * The profiles of one kind over all periods, each as it is where it is first: of video, and of
   * each language of audio and subtitles, those that are there for the longest time. Everywhere
   * else the nearest one stands in ({@link Profile}), so that each profile can be played in every
   * period that has any. WebM is left out where there is something else, as most HLS players cannot
   * play it.
   */
  static List<Profile.InPeriod> of(Mpd mpd, Kind kind) {
    Map<String, Presence> presences = new LinkedHashMap<>();
    for (Period period : mpd.periods()) {
      for (Profile.InPeriod member : distinct(period, kind)) {
        presences.computeIfAbsent(member.representation().profileId(), id -> new Presence(member))
                .nanos +=
            length(period);
      }
    }
    Map<String, Long> longest = new LinkedHashMap<>();
    presences.values().forEach(p -> longest.merge(p.group(), p.nanos, Math::max));
    List<Profile.InPeriod> chosen =
        presences.values().stream()
            .filter(presence -> longest.getOrDefault(presence.group(), 0L) == presence.nanos)
            .map(presence -> presence.first)
            .toList();
    List<Profile.InPeriod> others =
        chosen.stream().filter(member -> !isWebM(member.representation())).toList();
    return others.isEmpty() ? chosen : others;
  }

  /** Of two with the same profile id, the first. */
  private static List<Profile.InPeriod> distinct(Period period, Kind kind) {
    Map<String, Profile.InPeriod> members = new LinkedHashMap<>();
    for (Profile.InPeriod member : Profile.played(period)) {
      if (member.set().kind() == kind) {
        members.putIfAbsent(member.representation().profileId(), member);
      }
    }
    return new ArrayList<>(members.values());
  }

  private static long length(Period period) {
    return period.duration().map(MediaTime::nanos).orElse(ENDLESS_NANOS);
  }

  private static boolean isWebM(Representation representation) {
    return representation.mimeType().toLowerCase(Locale.ROOT).endsWith("/webm");
  }

  /** The language of a set, for attributes: {@code und} if it is not said. */
  static String language(AdaptationSet set) {
    return set.language()
        .map(AttributeLine::clean)
        .map(String::strip)
        .filter(language -> !language.isEmpty())
        .orElse("und");
  }

  /** How long a profile is there, in all. */
  private static final class Presence {
    private final Profile.InPeriod first;
    private long nanos;

    Presence(Profile.InPeriod first) {
      this.first = first;
    }

    String group() {
      return first.set().kind() == Kind.VIDEO ? "" : language(first.set());
    }
  }
}
