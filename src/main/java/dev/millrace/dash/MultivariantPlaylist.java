package dev.millrace.dash;

import dev.millrace.dash.AdaptationSet.Kind;
import dev.millrace.stream.MediaFormatException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Writes what a presentation consists of as a multivariant playlist (RFC 8216 §4.3.4): video
 * variants with one group of audio and one of subtitles, or, if there is no video, one variant for
 * each audio profile. Trick mode and pictures are left out. {@link Renditions} says which profiles
 * of several periods are listed.
 */
public final class MultivariantPlaylist {
  static final int MAX_SUBTITLES = 64;

  /** Without video: each is a variant. */
  static final int MAX_AUDIO_VARIANTS = 64;

  private static final int MAX_FRAME_RATE_CHARACTERS = 40;

  private final Mpd mpd;
  private final PlaylistLinks links;
  private final StringBuilder text = new StringBuilder("#EXTM3U\n#EXT-X-VERSION:");
  private final Set<String> subtitleNames = new HashSet<>();
  private List<Profile.InPeriod> audios = List.of();
  private List<Profile.InPeriod> subtitles = List.of();

  private final boolean isTransportStream;

  private MultivariantPlaylist(Mpd mpd, PlaylistLinks links, boolean isTransportStream) {
    this.mpd = mpd;
    this.links = links;
    this.isTransportStream = isTransportStream;
    text.append(isTransportStream ? 3 : 6);
  }

  /**
   * The playlist; its last line has no end.
   *
   * @param height {@code resolution}: the variant that has this height, or the next lower one, or
   *     the lowest; absent: one for each height, at most five
   * @param isTransportStream whether MPEG-TS is wanted: of video, only the greatest height is
   *     listed
   * @throws MediaFormatException if there is neither video nor audio
   */
  public static String text(
      Mpd mpd, OptionalInt height, boolean isTransportStream, PlaylistLinks links)
      throws MediaFormatException {
    return new MultivariantPlaylist(mpd, links, isTransportStream).write(height);
  }

  private String write(OptionalInt height) throws MediaFormatException {
    List<Profile.InPeriod> all = Renditions.of(mpd, Kind.VIDEO);
    List<Profile.InPeriod> videos =
        VideoVariants.of(isTransportStream ? VideoVariants.highest(all) : all, height);
    List<Profile.InPeriod> sounds = Renditions.of(mpd, Kind.AUDIO);
    if (videos.isEmpty() && sounds.isEmpty()) {
      throw MediaFormatException.unsupported("the MPD has neither video nor audio to play");
    }
    audios = videos.isEmpty() ? List.of() : AudioGroup.of(sounds);
    subtitles = subtitles();
    for (Profile.InPeriod audio : audios) {
      line(audio(audio, audio.equals(audios.get(0))));
    }
    for (Profile.InPeriod subtitle : subtitles) {
      line(subtitle(subtitle));
    }
    for (Profile.InPeriod variant : videos.isEmpty() ? mostPreferred(sounds) : videos) {
      line(variant(variant));
      line(links.playlist(variant.representation().profileId()));
    }
    return text.toString();
  }

  private static List<Profile.InPeriod> mostPreferred(List<Profile.InPeriod> sounds) {
    return AudioGroup.byPreference(sounds).stream().limit(MAX_AUDIO_VARIANTS).toList();
  }

  private void line(Object line) {
    text.append('\n').append(line);
  }

  /** One of each set. Text files end, so a live presentation has none. */
  private List<Profile.InPeriod> subtitles() {
    List<Profile.InPeriod> chosen = new ArrayList<>();
    Set<AdaptationSet> sets = new HashSet<>();
    for (Profile.InPeriod text : Renditions.of(mpd, Kind.TEXT)) {
      boolean isPlayable = !mpd.isDynamic() || !Renditions.isSidecar(text.representation());
      if (isPlayable && chosen.size() < MAX_SUBTITLES && sets.add(text.set())) {
        chosen.add(text);
      }
    }
    return chosen;
  }

  private AttributeLine audio(Profile.InPeriod audio, boolean isDefault) {
    String language = Renditions.language(audio.set());
    String shown = language.equals("und") ? "1" : language;
    Representation representation = audio.representation();
    AttributeLine line =
        new AttributeLine("#EXT-X-MEDIA")
            .plain("TYPE", "AUDIO")
            .quoted("GROUP-ID", "audio")
            .quoted("NAME", "Audio " + shown + " (" + representation.bandwidth() + ")")
            .plain("DEFAULT", isDefault ? "YES" : "NO")
            .plain("AUTOSELECT", "YES")
            .quoted("LANGUAGE", language)
            .quoted("CHARACTERISTICS", Characteristics.of(audio.set()));
    representation.channels().ifPresent(count -> line.quoted("CHANNELS", Integer.toString(count)));
    return line.quoted("URI", links.playlist(representation.profileId()));
  }

  private AttributeLine subtitle(Profile.InPeriod subtitle) {
    AdaptationSet set = subtitle.set();
    AttributeLine line =
        new AttributeLine("#EXT-X-MEDIA")
            .plain("TYPE", "SUBTITLES")
            .quoted("GROUP-ID", "subtitles")
            .quoted("NAME", subtitleName(set))
            .plain("DEFAULT", "NO")
            .plain("AUTOSELECT", "YES");
    if (set.roles().contains("forced-subtitle") || set.roles().contains("forced_subtitle")) {
      line.plain("FORCED", "YES");
    }
    return line.quoted("LANGUAGE", Renditions.language(set))
        .quoted("CHARACTERISTICS", Characteristics.of(set))
        .quoted("URI", links.playlist(subtitle.representation().profileId()));
  }

  /** What players show; different for each of the group (§4.3.4.1.1). */
  private String subtitleName(AdaptationSet set) {
    String label = set.label().map(AttributeLine::clean).orElse("").strip();
    String name = label.isEmpty() ? "Subtitles " + Renditions.language(set) : label;
    String different = name;
    for (int i = 2; !subtitleNames.add(different); i++) {
      different = name + " " + i;
    }
    return different;
  }

  private AttributeLine variant(Profile.InPeriod variant) {
    Representation representation = variant.representation();
    long audio = audios.stream().mapToLong(a -> a.representation().bandwidth()).max().orElse(0);
    AttributeLine line =
        new AttributeLine("#EXT-X-STREAM-INF")
            .plain("BANDWIDTH", Math.max(1, representation.bandwidth() + audio));
    if (representation.width().isPresent() && representation.height().isPresent()) {
      line.plain(
          "RESOLUTION",
          representation.width().getAsInt() + "x" + representation.height().getAsInt());
    }
    line.quoted("CODECS", codecs(representation));
    frameRate(representation)
        .filter(rate -> !isTransportStream)
        .ifPresent(rate -> line.plain("FRAME-RATE", rate));
    representation.videoRange().ifPresent(range -> line.plain("VIDEO-RANGE", range));
    if (!audios.isEmpty()) {
      line.quoted("AUDIO", "audio");
    }
    return subtitles.isEmpty() ? line : line.quoted("SUBTITLES", "subtitles");
  }

  /** Of the variant and of both groups; of text files there are none. */
  private Optional<String> codecs(Representation variant) {
    List<Optional<String>> all = new ArrayList<>();
    all.add(variant.codecs());
    audios.forEach(audio -> all.add(audio.representation().codecs()));
    subtitles.stream()
        .map(Profile.InPeriod::representation)
        .filter(representation -> !Renditions.isText(representation))
        .forEach(representation -> all.add(representation.codecs()));
    return AttributeLine.codecs(all);
  }

  /** With one digit after the point at least, and three at most. */
  private static Optional<String> frameRate(Representation representation) {
    String rate = representation.frameRate().orElse("");
    if (rate.isEmpty() || rate.length() > MAX_FRAME_RATE_CHARACTERS) {
      return Optional.empty();
    }
    try {
      BigDecimal decimal = new BigDecimal(rate).setScale(3, RoundingMode.HALF_UP);
      BigDecimal shortest = decimal.stripTrailingZeros();
      boolean isPlausible = decimal.signum() > 0 && decimal.precision() < 10;
      return Optional.of(shortest.setScale(Math.max(1, shortest.scale())).toPlainString())
          .filter(text -> isPlausible);
    } catch (ArithmeticException | NumberFormatException e) {
      return Optional.empty();
    }
  }
}
