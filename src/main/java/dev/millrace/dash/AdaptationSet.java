package dev.millrace.dash;

import java.util.List;
import java.util.Optional;

/**
 * Representations of the same (ISO/IEC 23009-1 §5.3.3).
 *
 * @param id {@code @id}; empty if it has none
 * @param isTrickMode it is for fast winding (§5.8.4, {@code
 *     http://dashif.org/guidelines/trickmode})
 * @param isUnusable it needs what we do not know ({@code EssentialProperty}), or is remote and was
 *     not fetched
 * @param language as RFC 5646 writes it
 * @param label {@code @label} or {@code Label}
 * @param roles values of {@code urn:mpeg:dash:role:2011}
 * @param accessibilities scheme and value, {@code scheme=value}
 * @param representations in their order; what could not be read is left out
 */
public record AdaptationSet(
    String id,
    Kind kind,
    boolean isTrickMode,
    boolean isUnusable,
    Optional<String> language,
    Optional<String> label,
    List<String> roles,
    List<String> accessibilities,
    List<Representation> representations) {
  /** What it is. */
  public enum Kind {
    VIDEO,
    AUDIO,
    /** Subtitles. */
    TEXT,
    /** Thumbnails. */
    IMAGE,
    OTHER
  }

  public AdaptationSet {
    roles = List.copyOf(roles);
    accessibilities = List.copyOf(accessibilities);
    representations = List.copyOf(representations);
  }

  /** Whether players get it. */
  public boolean isPlayed() {
    return !isTrickMode && !isUnusable && kind != Kind.IMAGE && kind != Kind.OTHER;
  }
}
