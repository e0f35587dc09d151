package dev.millrace.dash;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Which video profiles a multivariant playlist lists (contract §1.4). */
final class VideoVariants {
  static final int MAX_VARIANTS = 5;

  private VideoVariants() {}

  /**
   * With a height, the one that comes nearest to it from below, or the lowest: those without a
   * height do not count, unless all are. Without it, the best ones: one for each representation id
   * and each height.
   */
  static List<Profile.InPeriod> of(List<Profile.InPeriod> videos, OptionalInt height) {
    List<Profile.InPeriod> best =
        videos.stream()
            .sorted(
                Comparator.comparingLong(
                        (Profile.InPeriod video) -> video.representation().bandwidth())
                    .reversed())
            .toList();
    Optional<Profile.InPeriod> one = height.stream().boxed().findFirst().flatMap(h -> one(best, h));
    return one.isPresent() ? List.of(one.get()) : ladder(best);
  }

  /** Those of the greatest height; all if none has one. */
  static List<Profile.InPeriod> highest(List<Profile.InPeriod> videos) {
    OptionalInt greatest =
        videos.stream()
            .map(video -> video.representation().height())
            .filter(OptionalInt::isPresent)
            .mapToInt(OptionalInt::getAsInt)
            .max();
    return videos.stream()
        .filter(video -> greatest.isEmpty() || video.representation().height().equals(greatest))
        .toList();
  }

  private static Optional<Profile.InPeriod> one(List<Profile.InPeriod> best, int height) {
    List<Profile.InPeriod> known =
        best.stream().filter(video -> video.representation().height().isPresent()).toList();
    Comparator<Profile.InPeriod> byHeight =
        Comparator.comparingInt(video -> video.representation().height().orElse(0));
    return known.stream()
        .filter(video -> video.representation().height().orElse(0) <= height)
        .sorted(byHeight.reversed()) // stable: the best of the same height first
        .findFirst()
        .or(() -> known.stream().sorted(byHeight).findFirst());
  }

  private static List<Profile.InPeriod> ladder(List<Profile.InPeriod> best) {
    List<Profile.InPeriod> ladder = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    Set<Integer> heights = new HashSet<>();
    for (Profile.InPeriod video : best) {
      Representation representation = video.representation();
      boolean isOther = representation.id().isEmpty() || !ids.contains(representation.id());
      OptionalInt height = representation.height();
      boolean isOtherHeight = height.isEmpty() || !heights.contains(height.getAsInt());
      if (isOther && isOtherHeight && ladder.size() < MAX_VARIANTS) {
        ladder.add(video);
        ids.add(representation.id());
        height.ifPresent(heights::add);
      }
    }
    return ladder;
  }
}
