package dev.millrace.dash;

import dev.millrace.stream.ExchangeException;
import java.time.Duration;
import java.util.List;

/** A live presentation has no segment that could be listed now, and may have one soon. */
public final class NotYetAvailableException extends ExchangeException {
  private static final long serialVersionUID = 1L;

  private NotYetAvailableException(Duration retryAfter) {
    super(
        503,
        "not_yet_available",
        Hop.ORIGIN,
        "The presentation is live, and has no segment to play at this time",
        retryAfter,
        null);
  }

  /** One segment later there should be one: 1 to 60 s. */
  static NotYetAvailableException of(Profile profile) {
    List<Profile.InPeriod> members = profile.members();
    Addressing last = members.get(members.size() - 1).representation().addressing();
    long seconds = NominalDuration.nanos(last) / MediaTime.NANOS_PER_SECOND;
    return new NotYetAvailableException(Duration.ofSeconds(Math.max(1, Math.min(60, seconds))));
  }
}
