package dev.millrace.mp4;

import dev.millrace.mp4.Track.TrackDefaults;
import dev.millrace.stream.MediaFormatException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a movie box (ISO/IEC 14496-12 §8.2.1). */
public final class InitSegmentReader {
  /** More tracks are refused. */
  public static final int MAX_TRACKS = 1_024;

  /** More sample entries of a track are refused. */
  public static final int MAX_ENTRIES = 1_024;

  private static final int MOOV = FourCc.of("moov");
  private static final int TRAK = FourCc.of("trak");
  private static final int TKHD = FourCc.of("tkhd");
  private static final int MDIA = FourCc.of("mdia");
  private static final int MDHD = FourCc.of("mdhd");
  private static final int HDLR = FourCc.of("hdlr");
  private static final int MINF = FourCc.of("minf");
  private static final int STBL = FourCc.of("stbl");
  private static final int STSD = FourCc.of("stsd");
  private static final int MVEX = FourCc.of("mvex");
  private static final int TREX = FourCc.of("trex");

  private InitSegmentReader() {}

  /**
   * Its tracks.
   *
   * @param moov the whole box; it is kept by the sample entries
   * @throws MediaFormatException if a track has no id, no time scale or a protected sample entry
   *     that does not say how, or if there are more than {@link #MAX_TRACKS}
   */
  public static InitSegment read(Box moov) throws MediaFormatException {
    List<Box> children = moov.children();
    Map<Long, TrackDefaults> defaults = defaults(children);
    List<Track> tracks = new ArrayList<>();
    for (Box trak : children) {
      if (trak.type() == TRAK) {
        if (tracks.size() == MAX_TRACKS) {
          throw MediaFormatException.malformed("Box 'moov' has more than 1,024 tracks.");
        }
        tracks.add(track(trak, defaults));
      }
    }
    return new InitSegment(tracks);
  }

  /**
   * Of a whole initialization segment, or a file that begins with one.
   *
   * @param bytes kept by the sample entries
   * @throws MediaFormatException if no movie box is in it
   */
  public static InitSegment read(byte[] bytes) throws MediaFormatException {
    List<Box> movies = TopLevel.boxes(bytes).stream().filter(box -> box.type() == MOOV).toList();
    return read(movies.get(movies.size() - 1)); // the last one holds
  }

  private static Map<Long, TrackDefaults> defaults(List<Box> children) throws MediaFormatException {
    Map<Long, TrackDefaults> defaults = new HashMap<>();
    for (Box mvex : children) {
      for (Box trex : mvex.type() == MVEX ? mvex.children() : List.<Box>of()) {
        if (trex.type() == TREX) {
          defaults.putIfAbsent(
              trex.unsignedAt(4),
              new TrackDefaults(
                  trex.unsignedAt(8), trex.unsignedAt(12), trex.unsignedAt(16), trex.intAt(20)));
        }
      }
    }
    return defaults;
  }

  private static Track track(Box trak, Map<Long, TrackDefaults> defaults)
      throws MediaFormatException {
    Box tkhd = required(trak, TKHD);
    long id = tkhd.unsignedAt(tkhd.version() == 0 ? 12 : 20);
    Box mdia = required(trak, MDIA);
    Box mdhd = required(mdia, MDHD);
    long timescale = mdhd.unsignedAt(mdhd.version() == 0 ? 12 : 20);
    if (timescale == 0) {
      throw MediaFormatException.malformed("Track " + id + " has the time scale 0.");
    }
    Optional<Box> hdlr = mdia.child(HDLR);
    List<Box> table = required(required(mdia, MINF), STBL).children();
    return new Track(
        id,
        hdlr.isPresent() ? hdlr.get().intAt(8) : 0,
        timescale,
        entries(table),
        defaults.getOrDefault(id, TrackDefaults.NONE),
        SampleGroupReader.read(table));
  }

  private static List<SampleEntry> entries(List<Box> table) throws MediaFormatException {
    List<SampleEntry> entries = new ArrayList<>();
    for (Box stsd : table) {
      for (Box entry : stsd.type() == STSD ? stsd.children(stsd.checked(8, 0)) : List.<Box>of()) {
        if (entries.size() == MAX_ENTRIES) {
          throw MediaFormatException.malformed("Box 'stsd' has more than 1,024 entries.");
        }
        entries.add(SampleEntryReader.read(entry));
      }
    }
    return entries;
  }

  private static Box required(Box parent, int type) throws MediaFormatException {
    return parent
        .child(type)
        .orElseThrow(
            () ->
                MediaFormatException.malformed(
                    "Box '%s' has no box '%s'."
                        .formatted(FourCc.text(parent.type()), FourCc.text(type))));
  }
}
