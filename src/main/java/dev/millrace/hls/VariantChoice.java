package dev.millrace.hls;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.OptionalInt;

/**
 * Leaves one variant in a multivariant playlist (RFC 8216bis §4.4.6.2), with all renditions ({@code
 * EXT-X-MEDIA}) and everything else, also the playlists of I-frames and pictures, which players use
 * for seeking, whatever their height. Variants of the same height and bandwidth that belong to
 * other pathways of content steering stay too, up to {@link VariantRow#MAX_PATHWAYS}: they are the
 * same one elsewhere.
 *
 * <p>Without a wanted height it is the one with the greatest; with one, the one of that height,
 * else of the next lower, else of the lowest. Of equal ones it is the one with the greatest
 * bandwidth, and the first. Variants without {@code RESOLUTION} count only if all are without.
 */
public final class VariantChoice {
  private static final int MAX_DIGITS = 5;

  private final OptionalInt height;

  private VariantChoice(OptionalInt height) {
    this.height = height;
  }

  /** The greatest height. */
  public static VariantChoice greatest() {
    return new VariantChoice(OptionalInt.empty());
  }

  /**
   * Reads a height such as {@code 720p}.
   *
   * @throws IllegalArgumentException if it is anything else than up to 5 digits and {@code p}; the
   *     message is for whoever wrote it
   */
  public static VariantChoice parse(String resolution) {
    String digits =
        resolution.endsWith("p") ? resolution.substring(0, resolution.length() - 1) : "";
    boolean isHeight = !digits.isEmpty() && digits.length() <= MAX_DIGITS;
    if (!isHeight || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new IllegalArgumentException(
          "no resolution (expected: a height in lines with p, such as 720p)");
    }
    return new VariantChoice(OptionalInt.of(Integer.parseInt(digits)));
  }

  /** What falls out of a multivariant playlist. */
  Iterable<Edit> edits(PlaylistText text) {
    VariantRow row = VariantRow.of(text, this);
    return () -> new Others(text, row);
  }

  /** Whether a variant is wanted rather than the best of those before it. */
  boolean isBetter(Variant variant, Variant best) {
    if (variant.height() == best.height()) {
      return variant.bandwidth() > best.bandwidth();
    }
    if (variant.height() == Variant.NO_HEIGHT || best.height() == Variant.NO_HEIGHT) {
      return best.height() == Variant.NO_HEIGHT;
    }
    int wanted = height.orElse(Integer.MAX_VALUE);
    boolean isLow = variant.height() <= wanted;
    boolean isBestLow = best.height() <= wanted;
    return isLow == isBestLow ? isLow == variant.height() > best.height() : isLow;
  }

  /** Leaves out the lines of the variants that do not stay. */
  private static final class Others implements Iterator<Edit> {
    private final PlaylistLines lines;
    private final VariantRow row;
    private int index = -1;
    private boolean isVariant;
    private boolean isThere;

    private Others(PlaylistText text, VariantRow row) {
      lines = new PlaylistLines(text);
      this.row = row;
    }

    @Override
    public boolean hasNext() {
      while (!isThere && lines.next()) {
        boolean isTag = lines.kind() == LineKind.EXT_X_STREAM_INF;
        boolean isAddress = lines.kind() == LineKind.ADDRESS;
        index += isTag ? 1 : 0;
        isThere = (isTag || (isAddress && isVariant)) && !row.stays(index);
        isVariant = isTag || (isVariant && !isAddress);
      }
      return isThere;
    }

    @Override
    public Edit next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      isThere = false;
      return new Edit(lines.from(), lines.to(), "");
    }
  }
}
