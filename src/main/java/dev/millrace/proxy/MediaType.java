package dev.millrace.proxy;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Media types of what is streamed, and the endings of file names that promise them. */
enum MediaType {
  MP4("video/mp4", "mp4 m4v mp4v"),
  M4S("video/iso.segment", "m4s cmfv cmfa"),
  MATROSKA("video/x-matroska", "mkv mk3d"),
  MATROSKA_AUDIO("audio/x-matroska", "mka"),
  WEBM("video/webm", "webm"),
  QUICKTIME("video/quicktime", "mov qt"),
  MPEG_TS("video/mp2t", "ts m2ts mts m2t"),
  MPEG_PS("video/mpeg", "mpg mpeg vob m2p"),
  AVI("video/x-msvideo", "avi divx"),
  WMV("video/x-ms-wmv", "wmv"),
  ASF("video/x-ms-asf", "asf"),
  FLV("video/x-flv", "flv"),
  OGG_VIDEO("video/ogg", "ogv"),
  THREE_GP("video/3gpp", "3gp 3gpp"),
  OGG("audio/ogg", "ogg oga opus"),
  M4A("audio/mp4", "m4a m4b"),
  MP3("audio/mpeg", "mp3"),
  AAC("audio/aac", "aac adts"),
  AC3("audio/ac3", "ac3"),
  EAC3("audio/eac3", "eac3 ec3"),
  DTS("audio/vnd.dts", "dts"),
  FLAC("audio/flac", "flac"),
  WAV("audio/wav", "wav"),
  WMA("audio/x-ms-wma", "wma"),
  HLS("application/vnd.apple.mpegurl", "m3u8"),
  M3U("audio/x-mpegurl", "m3u"),
  DASH("application/dash+xml", "mpd"),
  WEBVTT("text/vtt", "vtt"),
  SUBRIP("application/x-subrip", "srt"),
  TTML("application/ttml+xml", "ttml dfxp"),
  SSA("text/x-ssa", "ass ssa");

  private static final Map<String, MediaType> BY_ENDING =
      Arrays.stream(values())
          .flatMap(t -> Arrays.stream(t.endings.split(" ", -1)).map(e -> Map.entry(e, t)))
          .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

  private final String text;
  private final String endings;

  MediaType(String text, String endings) {
    this.text = text;
    this.endings = endings;
  }

  /** As it stands in {@code Content-Type}. */
  String text() {
    return text;
  }

  /** What the ending of a file name or path promises; absent if it is none of ours. */
  static Optional<MediaType> ofName(String name) {
    String file = name.substring(name.lastIndexOf('/') + 1);
    int dot = file.lastIndexOf('.');
    if (dot < 0) {
      return Optional.empty();
    }
    String ending = file.substring(dot + 1).toLowerCase(Locale.ROOT);
    return Optional.ofNullable(BY_ENDING.get(ending));
  }
}
