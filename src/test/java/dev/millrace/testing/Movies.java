package dev.millrace.testing;

import static dev.millrace.testing.BoxBuilder.box;
import static dev.millrace.testing.BoxBuilder.full;

/** Made movie boxes (ISO/IEC 14496-12 §8.2.1), as small as they can be. */
public final class Movies {
  private static final String KID = "c0ffee00112233445566778899aabb01";

  private Movies() {}

  /** A {@code moov} of tracks and whatever else. */
  public static BoxBuilder movie(BoxBuilder... children) {
    return with(box("moov").box(full("mvhd", 0, 0).zeros(96)), children);
  }

  /**
   * A {@code trak}.
   *
   * @param table further boxes of its sample table
   */
  public static BoxBuilder track(int id, BoxBuilder stsd, BoxBuilder... table) {
    return box("trak")
        .box(full("tkhd", 0, 3).zeros(8).u32(id).zeros(68))
        .box(
            box("mdia")
                .box(full("mdhd", 0, 0).zeros(8).u32(90_000).u32(0).u32(0))
                .box(full("hdlr", 0, 0).u32(0).text("vide").zeros(13))
                .box(box("minf").box(with(box("stbl").box(stsd), table))));
  }

  public static BoxBuilder descriptions(BoxBuilder... entries) {
    return with(full("stsd", 0, 0).u32(entries.length), entries);
  }

  /** A video entry. */
  public static BoxBuilder video(String type, BoxBuilder... children) {
    return with(box(type).zeros(6).u16(1).zeros(70), children);
  }

  /**
   * An audio entry.
   *
   * @param version 0, or 1 or 2 of QuickTime, which have more fields
   */
  public static BoxBuilder audio(String type, int version, BoxBuilder... children) {
    int more = version == 0 ? 0 : version == 1 ? 16 : 36;
    return with(box(type).zeros(6).u16(1).u16(version).zeros(18 + more), children);
  }

  /** An entry of XML subtitles: three strings. */
  public static BoxBuilder subtitles(String type, BoxBuilder... children) {
    return with(box(type).zeros(6).u16(1).text("http://ns\0\0image/png\0"), children);
  }

  /** An entry without fields of its own. */
  public static BoxBuilder plain(String type, BoxBuilder... children) {
    return with(box(type).zeros(6).u16(1), children);
  }

  /** A {@code sinf} with an 8-byte IV and a key id that is always the same. */
  public static BoxBuilder protection(String format, String scheme) {
    return protection(format, scheme, full("tenc", 0, 0).u8(0).u8(0).u8(1).u8(8).hex(KID));
  }

  public static BoxBuilder protection(String format, String scheme, BoxBuilder tenc) {
    return box("sinf")
        .box(box("frma").text(format))
        .box(full("schm", 0, 0).text(scheme).u32(0x10000))
        .box(box("schi").box(tenc));
  }

  private static BoxBuilder with(BoxBuilder parent, BoxBuilder... children) {
    for (BoxBuilder child : children) {
      parent.box(child);
    }
    return parent;
  }
}
