package dev.millrace.dash;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.stream.MediaFormatException;
import java.io.ByteArrayInputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** MPDs written in tests, found at {@link #URL}. */
final class MpdText {
  static final String URL = "http://origin.example/live/manifest.mpd?session=1";
  static final String BASE = "http://origin.example/live/";
  static final int ALL = 1_000_000;

  private MpdText() {}

  static Mpd read(String xml) throws MediaFormatException {
    return read(xml.getBytes(UTF_8));
  }

  static Mpd read(byte[] xml) throws MediaFormatException {
    return MpdReader.read(new ByteArrayInputStream(xml), URL);
  }

  /** A static one of one period. */
  static String onDemand(String duration, String content) {
    return mpd("mediaPresentationDuration='" + duration + "'", "<Period>" + content + "</Period>");
  }

  /** One that began at noon of the first day of 2026. */
  static String live(String attributes, String content) {
    return mpd(
        "type='dynamic' availabilityStartTime='2026-01-01T12:00:00Z' " + attributes, content);
  }

  static String mpd(String attributes, String content) {
    return "<MPD xmlns='urn:mpeg:dash:schema:mpd:2011' " + attributes + ">" + content + "</MPD>";
  }

  /** A video set of one representation {@code v}. */
  static String video(String addressing) {
    return "<AdaptationSet contentType='video'><Representation id='v' bandwidth='1000'>"
        + addressing
        + "</Representation></AdaptationSet>";
  }

  static Instant afterNoon(double seconds) {
    return Instant.parse("2026-01-01T12:00:00Z").plusMillis(Math.round(seconds * 1000));
  }

  static Representation first(Mpd mpd) {
    return mpd.periods().get(0).adaptationSets().get(0).representations().get(0);
  }

  static List<Segment> plan(Mpd mpd) {
    return plan(mpd, 0, Optional.empty());
  }

  static List<Segment> plan(Mpd mpd, Instant now) {
    return plan(mpd, 0, Optional.of(now));
  }

  /** Of the first representation of a period. */
  static List<Segment> plan(Mpd mpd, int period, Optional<Instant> now) {
    Period chosen = mpd.periods().get(period);
    Representation representation = chosen.adaptationSets().get(0).representations().get(0);
    return SegmentPlan.of(mpd, chosen, representation, List.of(), now, ALL);
  }

  static List<String> urls(List<Segment> segments) {
    return segments.stream().map(MpdText::shown).toList();
  }

  /** Relative to {@link #BASE}, and its range if it has one. */
  private static String shown(Segment segment) {
    String range = segment.part().range().map(text -> " " + text).orElse("");
    return segment.part().url().replace(BASE, "") + range;
  }
}
