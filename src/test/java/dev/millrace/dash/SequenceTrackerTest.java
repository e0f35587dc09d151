package dev.millrace.dash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.dash.SequenceTracker.Numbers;
import dev.millrace.dash.SequenceTracker.StreamId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class SequenceTrackerTest {
  private static final long SECOND = MediaTime.NANOS_PER_SECOND;
  private static final StreamId STREAM = new StreamId("http://o.test/x.mpd", "1_v_1");

  private final SequenceTracker tracker = new SequenceTracker();

  @Test
  void beginsWhereItIsTold() {
    assertThat(numbers(window(0, 4, 4)).mediaSequence()).isEqualTo(700);
  }

  @Test
  void countsWhatHasGone_whateverItsDuration() {
    numbers(window(0, 4, 2, 6, 4));

    assertThat(numbers(window(6, 6, 4, 2)).mediaSequence()).isEqualTo(702);
    assertThat(numbers(window(12, 4, 2, 9)).mediaSequence()).isEqualTo(703);
  }

  @Test
  void staysWithTheSegment_whenNothingIsNew() {
    numbers(window(0, 4, 4));

    assertThat(numbers(window(0, 4, 4)).mediaSequence()).isEqualTo(700);
  }

  @Test
  void knowsSegmentsAgain_whenTheirTimesTremble() {
    numbers(window(0, 4, 4, 4));

    assertThat(numbers(List.of(segment(4 * SECOND + 7, 8 * SECOND))).mediaSequence())
        .isEqualTo(701);
  }

  @Test
  void countsBack_whenALongerWindowIsAsked() {
    numbers(window(40, 4, 4, 4));

    assertThat(numbers(window(28, 4, 4, 4, 4, 4, 4)).mediaSequence()).isEqualTo(697);
    assertThat(numbers(window(44, 4, 4)).mediaSequence()).isEqualTo(701);
  }

  @Test
  void leapsOverWhatNobodyAskedFor() {
    numbers(window(0, 4, 4, 4)); // 700 to 702

    assertThat(numbers(window(100, 4, 4)).mediaSequence()).isEqualTo(725);
  }

  @Test
  void goesOn_whenTheClockGoesFarBack() {
    numbers(window(1000, 4, 4, 4));

    assertThat(numbers(window(0, 4, 4)).mediaSequence()).isEqualTo(703);
    assertThat(numbers(window(4, 4, 4)).mediaSequence()).isEqualTo(704);
  }

  @Test
  void goesOn_whenTheEncoderStartsAnewWithTimesOfBefore() {
    numbers(window(0, 4, 4, 4));

    Numbers anew = tracker.numbers(STREAM, 1, List.of(), window(0, 4, 4), () -> 1L);

    assertThat(anew.mediaSequence()).isEqualTo(703);
  }

  @Test
  void forgetsNothing_whenAnOldListComesBetween() {
    numbers(window(0, 4, 4, 4));
    numbers(window(8, 4, 4, 4));

    assertThat(numbers(window(4, 4, 4)).mediaSequence()).isEqualTo(701);
    assertThat(numbers(window(16, 4, 4, 4)).mediaSequence()).isEqualTo(704);
  }

  @Test
  void remembersTheEndOfLongWindows() {
    double[] durations = new double[5 * SequenceWindow.MAX_REMEMBERED];
    Arrays.fill(durations, 2);
    numbers(window(0, durations));

    assertThat(numbers(window(2, durations)).mediaSequence()).isEqualTo(701);
  }

  @Test
  void remembersTheLongestSegment() {
    numbers(window(0, 9, 4));

    assertThat(numbers(window(9, 4, 4)).longestMillis()).isEqualTo(9000);
  }

  @Test
  void countsDiscontinuitiesThatHaveGone() {
    List<ListedSegment> window = window(0, 4, 4, 4, 4);
    window.set(2, window.get(2).withDiscontinuity(true));

    assertThat(numbers(window).discontinuitySequence()).isZero();
    assertThat(numbers(window.subList(1, 4)).discontinuitySequence()).isZero();
    assertThat(numbers(window.subList(2, 4)).discontinuitySequence()).isEqualTo(1);
    assertThat(numbers(window.subList(3, 4)).discontinuitySequence()).isEqualTo(1);
  }

  @Test
  void countsBordersForAllProfilesTogether() {
    List<Long> borders = List.of(10 * SECOND);
    StreamId audio = new StreamId(STREAM.streamKey(), "2_a_1");
    numbers(window(0, 4, 4, 4), borders);
    numbers(window(8, 4, 4), List.of(10 * SECOND, 14 * SECOND));

    assertThat(numbers(window(16, 4, 4), List.of()).discontinuitySequence()).isEqualTo(2);
    assertThat(
            tracker
                .numbers(audio, 0, List.of(14 * SECOND), window(13.9, 6, 6), () -> 1L)
                .discontinuitySequence())
        .isEqualTo(2);
  }

  @Test
  void marksInAllProfilesWhatOneHasTold() {
    StreamId audio = new StreamId(STREAM.streamKey(), "2_a_1");
    List<ListedSegment> window = window(0, 4, 4, 4);
    window.set(1, window.get(1).withDiscontinuity(true));
    numbers(window);

    List<ListedSegment> marked =
        tracker.numbers(audio, 0, List.of(), window(0.1, 2, 2, 2, 2), () -> 1L).segments();

    assertThat(marked)
        .extracting(ListedSegment::isDiscontinuous)
        .containsExactly(false, false, true, false);
  }

  @Test
  void countsABorderAndItsSegmentOnce() {
    List<ListedSegment> window = window(2, 4, 4, 4);
    window.set(1, window.get(1).withDiscontinuity(true));
    List<Long> borders = List.of(6 * SECOND + 3);

    numbers(window, borders);

    assertThat(numbers(window.subList(1, 3), borders).discontinuitySequence()).isEqualTo(1);
  }

  @Test
  void countsOnlyUp_whenThereAreMoreThanAreRemembered() {
    int count = 2 * Discontinuities.MAX_REMEMBERED;
    for (int i = 1; i <= count; i++) {
      List<ListedSegment> window = window(4 * i, 4, 4);
      Numbers numbers = numbers(window, List.of(window.get(0).startNanos()));
      assertThat(numbers.discontinuitySequence()).isEqualTo(i);
    }

    assertThat(numbers(window(4 * count, 4, 4), List.of(4 * SECOND)).discontinuitySequence())
        .isEqualTo(count);
  }

  @Test
  void forgetsTheStreamThatWasAskedForLongestAgo() {
    numbers(window(0, 4, 4));
    for (int i = 0; i < SequenceTracker.MAX_STREAMS - 1; i++) {
      tracker.numbers(new StreamId("x" + i, "p"), 0, List.of(), window(0, 4), () -> 1L);
    }
    assertThat(numbers(window(4, 4, 4)).mediaSequence()).isEqualTo(701);

    for (int i = 0; i < SequenceTracker.MAX_STREAMS; i++) {
      tracker.numbers(new StreamId("y" + i, "p"), 0, List.of(), window(0, 4), () -> 1L);
    }

    assertThat(tracker.size()).isEqualTo(SequenceTracker.MAX_STREAMS);
    assertThat(numbers(window(8, 4, 4)).mediaSequence()).isEqualTo(700);
  }

  @Test
  void showsNoAddress() {
    assertThat(STREAM).hasToString("1_v_1");
    assertThat(Written.options("http://o.test/x.mpd?token=1").toString()).doesNotContain("token");
  }

  private Numbers numbers(List<ListedSegment> segments) {
    return numbers(segments, List.of());
  }

  private Numbers numbers(List<ListedSegment> segments, List<Long> borders) {
    return tracker.numbers(STREAM, 0, borders, segments, () -> 700L);
  }

  /** Segments that follow on each other; in seconds. */
  private static List<ListedSegment> window(double start, double... durations) {
    List<ListedSegment> window = new ArrayList<>();
    long from = Math.round(start * SECOND);
    for (double duration : durations) {
      long to = from + Math.round(duration * SECOND);
      window.add(segment(from, to));
      from = to;
    }
    return window;
  }

  private static ListedSegment segment(long from, long to) {
    Addressing.Part part = new Addressing.Part("http://o.test/s", Optional.empty());
    Addressing base =
        new Addressing.SegmentBase(1, 0, Optional.empty(), part.url(), Optional.empty());
    Representation representation =
        new Representation(
            "v",
            STREAM.profileId(),
            1,
            "video/mp4",
            Optional.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalLong.empty(),
            OptionalInt.empty(),
            List.of(),
            base,
            List.of());
    AdaptationSet set =
        new AdaptationSet(
            "1",
            AdaptationSet.Kind.VIDEO,
            false,
            false,
            Optional.empty(),
            Optional.empty(),
            List.of(),
            List.of(),
            List.of(representation));
    Period period = new Period("", Duration.ZERO, Optional.empty(), List.of(set));
    Segment media = new Segment(1, from, to - from, SECOND, part, false);
    return new ListedSegment(
        new Profile.InPeriod(period, set, representation), media, from, to, false, false);
  }
}
