package dev.millrace.mp4;

import java.util.List;
import java.util.Optional;

/**
 * What a movie (moov) says that its fragments leave out (ISO/IEC 14496-12 §8.2.1, §8.8.1).
 *
 * @param tracks in their order; ids are unique, the first one counts
 */
public record InitSegment(List<Track> tracks) {
  /** Knows no track. */
  public static final InitSegment EMPTY = new InitSegment(List.of());

  public InitSegment {
    tracks = List.copyOf(tracks);
  }

  public Optional<Track> track(long id) {
    return tracks.stream().filter(track -> track.id() == id).findFirst();
  }

  /** Whether any sample entry of any track says that it is protected. */
  public boolean isProtected() {
    return tracks.stream()
        .flatMap(track -> track.entries().stream())
        .anyMatch(entry -> entry.encryption().isPresent());
  }
}
