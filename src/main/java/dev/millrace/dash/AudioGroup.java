package dev.millrace.dash;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Which audio profiles a multivariant playlist lists as renditions (contract §1.4). */
final class AudioGroup {
  static final int MAX_RENDITIONS = 4;

  private static final List<String> SPECIAL =
      List.of("description", "commentary", "enhanced-audio-intelligibility", "emergency");

  private AudioGroup() {}

  /**
   * The default first: English, or what has most bits per second; then by these. One of each
   * language; of several, first of all one that is not a commentary or a description.
   */
  static List<Profile.InPeriod> of(List<Profile.InPeriod> audios) {
    List<Profile.InPeriod> group = new ArrayList<>();
    Set<String> languages = new HashSet<>();
    for (Profile.InPeriod audio : byPreference(audios)) {
      String language = Renditions.language(audio.set()).toLowerCase(Locale.ROOT);
      if (group.size() < MAX_RENDITIONS && languages.add(language)) {
        group.add(audio);
      }
    }
    return group;
  }

  /** All of them; the default first. */
  static List<Profile.InPeriod> byPreference(List<Profile.InPeriod> audios) {
    List<Profile.InPeriod> sorted =
        new ArrayList<>(
            audios.stream()
                .sorted(
                    Comparator.comparing(AudioGroup::isSpecial)
                        .thenComparing(
                            audio -> audio.representation().bandwidth(), Comparator.reverseOrder()))
                .toList());
    for (int i = 0; i < sorted.size(); i++) {
      Profile.InPeriod audio = sorted.get(i);
      if (isEnglish(audio) && !isSpecial(audio)) {
        sorted.add(0, sorted.remove(i));
        return sorted;
      }
    }
    return sorted;
  }

  private static boolean isEnglish(Profile.InPeriod audio) {
    return Renditions.language(audio.set()).toLowerCase(Locale.ROOT).startsWith("en");
  }

  private static boolean isSpecial(Profile.InPeriod audio) {
    return audio.set().roles().stream().anyMatch(SPECIAL::contains);
  }
}
