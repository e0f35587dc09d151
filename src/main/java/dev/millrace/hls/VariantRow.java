package dev.millrace.hls;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Which variants of a multivariant playlist stay, by their places among all. */
final class VariantRow {
  /** Most pathways of which a variant stays. */
  static final int MAX_PATHWAYS = 64;

  private final Map<String, Integer> stayingByPathway = new TreeMap<>();
  private final VariantChoice choice;
  private @Nullable Variant best;

  private VariantRow(VariantChoice choice) {
    this.choice = choice;
  }

  static VariantRow of(PlaylistText text, VariantChoice choice) {
    VariantRow row = new VariantRow(choice);
    PlaylistLines lines = new PlaylistLines(text);
    @Nullable Variant variant = null;
    int index = -1;
    while (lines.next()) {
      if (lines.kind() == LineKind.EXT_X_STREAM_INF) {
        variant = Variant.read(lines);
        index++;
      } else if (lines.kind() == LineKind.ADDRESS && variant != null) {
        row.add(variant, index);
        variant = null;
      }
    }
    return row;
  }

  private void add(Variant variant, int index) {
    Variant before = best;
    if (before == null || choice.isBetter(variant, before)) {
      best = variant;
      stayingByPathway.clear();
    } else if (variant.height() != before.height() || variant.bandwidth() != before.bandwidth()) {
      return;
    }
    if (stayingByPathway.size() < MAX_PATHWAYS) {
      stayingByPathway.putIfAbsent(variant.pathway(), index);
    }
  }

  /**
   * Whether a variant stays; all do if none has an address.
   *
   * @param index among the {@code EXT-X-STREAM-INF}, from 0
   */
  boolean stays(int index) {
    return best == null || stayingByPathway.containsValue(index);
  }
}
