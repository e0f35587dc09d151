package dev.millrace.servlet;

import dev.millrace.dash.SequenceTracker;
import dev.millrace.proxy.DashLinks;
import dev.millrace.proxy.DashParameters;
import dev.millrace.upstream.UpstreamHead;
import java.time.Clock;

/**
 * What requests for presentations share.
 *
 * @param hls what they have in common with playlists that are only rewritten
 * @param known what was learned of presentations
 * @param clock what time it is for them
 * @param sequences how their playlists were numbered
 */
public record DashServices(
    HlsServices hls, KnownPresentations known, PresentationClock clock, SequenceTracker sequences) {
  /**
   * With nothing known of any presentation.
   *
   * @param clock the time of day
   */
  public static DashServices of(HlsServices hls, Clock clock) {
    KnownPresentations known = new KnownPresentations(hls.stream().nanoTime());
    return new DashServices(
        hls, known, new PresentationClock(hls.stream(), known, clock), new SequenceTracker());
  }

  /** Of one presentation. */
  DashLinks links(DashParameters parameters, RouteRequest request, UpstreamHead head) {
    return DashLinks.of(
        parameters, request.grant(), request.arrival().publicAddress(), head, hls.tokens());
  }
}
