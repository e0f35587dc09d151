package dev.millrace.dash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hls.SkippedRanges;
import dev.millrace.stream.ByteBuilder;
import dev.millrace.stream.ExchangeException;
import java.io.ByteArrayInputStream;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** What is written of an MPD that is given as text, with links that show what they were made of. */
final class Written {
  static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");

  /** What the setting usually is. */
  static final double LIVE_START_SECONDS = 18;

  private Written() {}

  /** An MPD that lies at {@code http://o.test/}. */
  static Mpd mpd(String xml) throws ExchangeException {
    return MpdReader.read(new ByteArrayInputStream(xml.getBytes(UTF_8)), "http://o.test/x.mpd");
  }

  static Mpd fixed(String attributes, String periods) throws ExchangeException {
    return mpd("<MPD type=\"static\" " + attributes + ">" + periods + "</MPD>");
  }

  /** Has begun at {@link #EPOCH}. */
  static Mpd live(String attributes, String periods) throws ExchangeException {
    return mpd(
        "<MPD type=\"dynamic\" availabilityStartTime=\"2026-01-01T00:00:00Z\" "
            + attributes
            + ">"
            + periods
            + "</MPD>");
  }

  static List<String> multivariant(Mpd mpd, int... height) throws ExchangeException {
    OptionalInt wanted = height.length == 0 ? OptionalInt.empty() : OptionalInt.of(height[0]);
    return MultivariantPlaylist.text(mpd, wanted, false, new ShownLinks()).lines().toList();
  }

  static List<String> ofTransportStreams(Mpd mpd) throws ExchangeException {
    return MultivariantPlaylist.text(mpd, OptionalInt.empty(), true, new ShownLinks())
        .lines()
        .toList();
  }

  static List<String> media(Mpd mpd, String profileId) throws ExchangeException {
    return media(presentation(mpd, EPOCH), profileId, options("stream"));
  }

  static List<String> media(Presentation presentation, String profileId, MediaPlaylistOptions asked)
      throws ExchangeException {
    return media(presentation, profileId, asked, new SequenceTracker());
  }

  static List<String> media(
      Presentation presentation,
      String profileId,
      MediaPlaylistOptions asked,
      SequenceTracker tracker)
      throws ExchangeException {
    Profile profile = Profile.find(presentation.mpd(), profileId).orElseThrow();
    return text(MediaPlaylist.of(presentation, profile, asked, new ShownLinks(), tracker))
        .lines()
        .toList();
  }

  /** All of it. */
  static String text(MediaPlaylist playlist) {
    ByteBuilder out = new ByteBuilder(1 << 10);
    while (playlist.write(out, out.length() + 100)) {
      assertThat(out.length()).isPositive();
    }
    return out.toString();
  }

  /** At a moment, without an index. */
  static Presentation presentation(Mpd mpd, Instant now) {
    return new Presentation(mpd, now, representation -> List.of());
  }

  /** Nothing is asked. */
  static MediaPlaylistOptions options(String streamKey) {
    return new MediaPlaylistOptions(
        streamKey,
        OptionalDouble.empty(),
        LIVE_START_SECONDS,
        MediaPlaylistOptions.LIVE_DEPTH,
        SkippedRanges.NONE,
        false);
  }

  static MediaPlaylistOptions skipping(String ranges) {
    return new MediaPlaylistOptions(
        "stream " + ranges,
        OptionalDouble.empty(),
        LIVE_START_SECONDS,
        MediaPlaylistOptions.LIVE_DEPTH,
        SkippedRanges.parse(ranges),
        false);
  }

  static MediaPlaylistOptions transportStream() {
    return new MediaPlaylistOptions(
        "transport stream",
        OptionalDouble.empty(),
        LIVE_START_SECONDS,
        MediaPlaylistOptions.LIVE_DEPTH,
        SkippedRanges.NONE,
        true);
  }

  static MediaPlaylistOptions startingAt(double seconds) {
    return new MediaPlaylistOptions(
        "stream",
        OptionalDouble.of(seconds),
        LIVE_START_SECONDS,
        MediaPlaylistOptions.LIVE_DEPTH,
        SkippedRanges.NONE,
        false);
  }

  /** Without origin; what is not usual follows. */
  static final class ShownLinks implements PlaylistLinks {
    @Override
    public String playlist(String profileId) {
      return "playlist/" + profileId;
    }

    @Override
    public String initialization(InitializationLink link) {
      return shown(link.part()) + (link.isLive() ? " live" : "");
    }

    @Override
    public String segment(SegmentLink link) {
      return shown(link.media())
          + (link.isLive() ? " live" : "")
          + link.initialization().map(part -> "").orElse(" alone")
          + link.shift().map(shift -> " " + shift).orElse("")
          + (link.isTransportStream() ? " stream" : "");
    }

    private static String shown(Addressing.Part part) {
      return part.url().replace("http://o.test/", "")
          + part.range().map(range -> " @" + range).orElse("");
    }
  }
}
