package dev.millrace.testing;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** MPDs that were made for tests. */
public final class MpdFiles {
  public static final String TYPE = "Content-Type: application/dash+xml";
  public static final String KID = "0123456789abcdef0123456789abcdef";

  private static final String START =
      "<?xml version=\"1.0\"?>\n<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\""
          + " profiles=\"urn:mpeg:dash:profile:isoff-live:2011\" minBufferTime=\"PT2S\" ";

  private MpdFiles() {}

  /** 20 s: video of 1080, 720 and 480 lines, and sound, in segments of 4 s. */
  public static String film() {
    return film("");
  }

  /** The same with this inside of each set. */
  public static String film(String inSets) {
    return START
        + """
        type="static" mediaPresentationDuration="PT20S">
          <Period id="p0">
            <AdaptationSet id="1" contentType="video" mimeType="video/mp4">%1$s
              <SegmentTemplate timescale="1000" duration="4000" startNumber="1"
                initialization="v/$RepresentationID$/init.mp4" media="v/$RepresentationID$/$Number$.m4s"/>
              <Representation id="v1080" bandwidth="5000000" width="1920" height="1080" codecs="avc1.640028" frameRate="25"/>
              <Representation id="v720" bandwidth="3000000" width="1280" height="720" codecs="avc1.64001f" frameRate="25"/>
              <Representation id="v480" bandwidth="1000000" width="854" height="480" codecs="avc1.64001e" frameRate="25"/>
            </AdaptationSet>
            <AdaptationSet id="2" contentType="audio" mimeType="audio/mp4" lang="en">%1$s
              <SegmentTemplate timescale="48000" duration="192000" startNumber="1"
                initialization="a/init.mp4" media="a/$Number$.m4s"/>
              <Representation id="a" bandwidth="128000" codecs="mp4a.40.2" audioSamplingRate="48000"/>
            </AdaptationSet>
          </Period>
        </MPD>
        """
            .formatted(inSets);
  }

  /** The film, protected. */
  public static String protectedFilm() {
    return film(
        "<ContentProtection schemeIdUri=\"urn:mpeg:dash:mp4protection:2011\" value=\"cenc\""
            + " xmlns:cenc=\"urn:mpeg:cenc:2013\""
            + " cenc:default_KID=\"01234567-89AB-CDEF-0123-456789ABCDEF\"/>");
  }

  /**
   * Live video in numbered segments of 2 s, of which the last minute is there.
   *
   * @param begun when number 1 began
   * @param more inside of the MPD, before its period
   */
  public static String live(Instant begun, String more) {
    return START
        + """
        type="dynamic" availabilityStartTime="%s" publishTime="%s" minimumUpdatePeriod="PT1S"
            timeShiftBufferDepth="PT60S">%s
          <Period id="p0" start="PT0S">
            <AdaptationSet id="1" contentType="video" mimeType="video/mp4">
              <SegmentTemplate timescale="1" duration="2" startNumber="1"
                initialization="init.mp4" media="$Number$.m4s"/>
              <Representation id="v" bandwidth="1000000" width="640" height="360" codecs="avc1.64001e"/>
            </AdaptationSet>
          </Period>
        </MPD>
        """
            .formatted(text(begun), text(begun), more);
  }

  /** One file of video whose segments an index says. */
  public static String singleFile(String segmentBase) {
    return START
        + """
        type="static" mediaPresentationDuration="PT12S">
          <Period>
            <AdaptationSet id="1" mimeType="video/mp4">
              <Representation id="v" bandwidth="1000000" width="640" height="360" codecs="avc1.64001e">
                <BaseURL>film.mp4</BaseURL>%s
              </Representation>
            </AdaptationSet>
          </Period>
        </MPD>
        """
            .formatted(segmentBase);
  }

  /** A film of these periods. */
  public static String periods(String... periods) {
    return START + "type=\"static\">" + String.join("\n", periods) + "</MPD>";
  }

  /** As {@code xs:dateTime}. */
  public static String text(Instant time) {
    return time.truncatedTo(ChronoUnit.MILLIS).toString();
  }
}
