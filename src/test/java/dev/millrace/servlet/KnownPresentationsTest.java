package dev.millrace.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.upstream.BadTargetException;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.Target;
import dev.millrace.upstream.UpstreamRequest;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class KnownPresentationsTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final KnownPresentations known = new KnownPresentations(nanos::get);

  private static UpstreamRequest mpd(int number, String... fields) throws BadTargetException {
    return UpstreamRequest.document(
        Target.parse("http://cdn.example/" + number), Headers.of(fields));
  }

  @Test
  void clockIsGoodForAsLongAsSaid() throws BadTargetException {
    known.learned(mpd(1), HOUR, Duration.ofSeconds(30));
    nanos.addAndGet(Duration.ofSeconds(30).toNanos() - 1);
    assertThat(known.ahead(mpd(1))).contains(HOUR);
    nanos.incrementAndGet();
    assertThat(known.ahead(mpd(1))).isEmpty();
  }

  @Test
  void whatOtherFieldsHaveLedToIsNotKnown() throws BadTargetException {
    Target location = Target.parse("http://cdn.example/session/7");
    known.moved(mpd(1, "Cookie", "a"), location);
    assertThat(known.location(mpd(1, "Cookie", "a"))).contains(location);
    assertThat(known.location(mpd(1, "Cookie", "b"))).isEmpty();
    assertThat(known.ahead(mpd(1, "Cookie", "a"))).isEmpty();
  }

  @Test
  void remembersSoManyAndForgetsTheOneThatWasLookedAtLongestAgo() throws BadTargetException {
    for (int i = 0; i < KnownPresentations.MAX_PRESENTATIONS; i++) {
      known.learned(mpd(i), HOUR, HOUR);
    }
    assertThat(known.ahead(mpd(0))).contains(HOUR);
    known.learned(mpd(-1), HOUR, HOUR);
    assertThat(known.size()).isEqualTo(KnownPresentations.MAX_PRESENTATIONS);
    assertThat(known.ahead(mpd(0))).contains(HOUR);
    assertThat(known.ahead(mpd(1))).isEmpty();
  }
}
