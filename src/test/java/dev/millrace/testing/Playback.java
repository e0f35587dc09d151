package dev.millrace.testing;

import java.util.List;

/**
 * How a player fared.
 *
 * @param seconds of the programme that were played
 * @param troubles everything the player complained of, stalls included
 * @param content one line for each decoded frame and packet of sound with its hash, if the player
 *     tells; else empty
 */
public record Playback(double seconds, List<String> troubles, String content) {
  public Playback {
    troubles = List.copyOf(troubles);
  }
}
