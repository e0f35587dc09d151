package dev.millrace.dash;

import java.util.Optional;

/**
 * The addresses that stand in playlists which are written of an MPD. Whoever has the request knows
 * what they look like; they hold neither quotes nor line breaks.
 */
public interface PlaylistLinks {
  /** Of a media playlist. */
  String playlist(String profileId);

  /** Of an initialization segment, for {@code EXT-X-MAP}. */
  String initialization(InitializationLink link);

  /** Of a media segment. */
  String segment(SegmentLink link);

  /**
   * What a link to an initialization segment says.
   *
   * @param mimeType of the representation
   * @param isLive whether the presentation is dynamic
   */
  record InitializationLink(Addressing.Part part, String mimeType, boolean isLive) {
    @Override
    public String toString() {
      return "a link to an initialization segment"; // its address may hold secrets
    }
  }

  /**
   * What a link to a media segment says.
   *
   * @param initialization what its {@code EXT-X-MAP} names; absent: the segment has none and
   *     initializes itself ({@code use_map} is false), or is a text
   * @param mimeType of the representation
   * @param isLive whether the presentation is dynamic
   * @param shift what its decode times are raised by; absent: nothing
   * @param isTransportStream whether it leads to MPEG-TS
   */
  record SegmentLink(
      Addressing.Part media,
      Optional<Addressing.Part> initialization,
      String mimeType,
      boolean isLive,
      Optional<Shift> shift,
      boolean isTransportStream) {
    @Override
    public String toString() {
      return "a link to a media segment"; // its address may hold secrets
    }
  }
}
