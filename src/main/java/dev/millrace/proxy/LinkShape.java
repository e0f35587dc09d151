package dev.millrace.proxy;

import dev.millrace.stream.ByteBuilder;
import java.util.Map;

/** How the links in a playlist are written. Confined to one caller. */
interface LinkShape {
  /** Which of the parameters a link has. */
  enum Group {
    PLAYLISTS,
    MEDIA,
    PLAIN
  }

  /**
   * Appends a link.
   *
   * @param address where it leads in the end
   * @param carried further parameters, which win
   */
  void append(
      ChildRoute route,
      Group group,
      ByteBuilder address,
      Map<String, String> carried,
      ByteBuilder out);
}
