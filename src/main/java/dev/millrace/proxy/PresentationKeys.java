package dev.millrace.proxy;

import dev.millrace.cenc.KeyId;
import dev.millrace.cenc.KeyRing;
import dev.millrace.dash.AdaptationSet;
import dev.millrace.dash.Mpd;
import dev.millrace.stream.MediaFormatException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/** Whether a request can have the keys of a presentation, as far as its MPD tells. */
public final class PresentationKeys {
  private static final Pattern HEX = Pattern.compile("[0-9a-fA-F]{32}");
  private static final int MAX_NAMED = 8;

  private PresentationKeys() {}

  /**
   * Refuses what could only be played as noise. Media says for itself which key it needs, and an
   * MPD may be wrong: it is enough if one key may be meant.
   *
   * @throws MediaFormatException if it is protected and there is no key, or if every key is for
   *     something else; names the key ids
   */
  public static void check(Mpd mpd, KeyRing keys) throws MediaFormatException {
    if (!mpd.isProtected()) {
      return;
    }
    List<String> ids = keyIds(mpd);
    if (keys.isEmpty()) {
      throw MediaFormatException.keyMissing(
          "The presentation is protected, and there is no key"
              + named(ids)
              + " (expected: key_id and key)");
    }
    boolean mayBeMeant =
        ids.isEmpty()
            || ids.stream()
                .map(id -> KeyId.of(HexFormat.of().parseHex(id)))
                .anyMatch(id -> id.isZero() || keys.key(id).isPresent());
    if (!mayBeMeant) {
      throw MediaFormatException.keyMissing("None of the keys is" + named(ids));
    }
  }

  private static List<String> keyIds(Mpd mpd) {
    return mpd.periods().stream()
        .flatMap(period -> period.adaptationSets().stream())
        .filter(AdaptationSet::isPlayed)
        .flatMap(set -> set.representations().stream())
        .flatMap(representation -> representation.protections().stream())
        .flatMap(protection -> protection.defaultKid().stream())
        .filter(id -> HEX.matcher(id).matches())
        .distinct()
        .toList();
  }

  private static String named(List<String> ids) {
    String shown = String.join(", ", ids.subList(0, Math.min(ids.size(), MAX_NAMED)));
    return shown.isEmpty() ? "" : " for key id " + shown + (ids.size() > MAX_NAMED ? ", …" : "");
  }
}
