package dev.millrace.hls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Finds where a transport stream (ISO/IEC 13818-1 §2.4.3.2) begins that hides behind a picture.
 * Made for one body, whose beginning it is shown as it grows; no byte is looked at more than a few
 * times.
 *
 * <h2>What counts as the beginning</h2>
 *
 * <ul>
 *   <li>Right behind a PNG (to the end of its {@code IEND}) or JPEG (to its {@code FF D9}), and
 *       what it is filled up with ({@code 00}, {@code FF}): three packets in a row, or as many as
 *       there are, at least one.
 *   <li>Elsewhere five packets in a row: bodies that are encrypted as a whole hold three by chance
 *       every some thousand segments. In the first 4 KiB of a short body two do, if the body ends
 *       with a packet.
 * </ul>
 *
 * Playlists, WebVTT, fragmented MP4 and packed audio show what they are and are left alone, and so
 * is everything in which no transport stream begins in the first {@value #MAX_BYTES} bytes.
 */
public final class TransportStreamStart {
  /** What is looked at, at most, in bytes. */
  public static final int MAX_BYTES = 512 << 10;

  private static final int PACKET_BYTES = 188;
  private static final int SYNC = 0x47;
  private static final int PACKETS_BEHIND_PICTURE = 3;
  private static final int PACKETS_ELSEWHERE = 5;
  private static final int SHORT_JUNK_BYTES = 4 << 10;

  private static final int SIGNATURE_BYTES = 8;
  private static final String PNG = "\u0089PNG\r\n\u001a\n";
  private static final String JPEG = "\u00ff\u00d8\u00ff";
  private static final String BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf";
  private static final int END_OF_IMAGE = 0xd9;

  /** Length, type and check sum (PNG §5.3). */
  private static final int PNG_CHUNK_BYTES = 12;

  private static final Set<String> BOXES =
      Set.of("ftyp", "styp", "moov", "moof", "sidx", "emsg", "prft");

  private enum State {
    BEGINNING,
    PNG_CHUNK,
    JPEG_BODY,
    BEHIND_PICTURE,
    ANYWHERE,
    LEFT_ALONE
  }

  private State state = State.BEGINNING;
  private int at;

  /**
   * Says how many bytes have to go.
   *
   * @param start of the body, not moved: what it was shown last time and what has come since
   * @param isAll whether nothing more will be shown
   * @return 0 and more; absent if more has to be seen, never if {@code isAll} or with {@value
   *     #MAX_BYTES} bytes
   */
  public OptionalInt cutBytes(ByteBuffer start, boolean isAll) {
    ByteBuffer bytes = start.slice();
    boolean isEnd = isAll || bytes.limit() >= MAX_BYTES;
    State before;
    do {
      before = state;
      OptionalInt found =
          switch (state) {
            case BEGINNING -> beginning(bytes, isEnd);
            case PNG_CHUNK -> pngChunks(bytes, isEnd);
            case JPEG_BODY -> jpegBody(bytes, isEnd);
            case BEHIND_PICTURE -> behindPicture(bytes, isEnd);
            case ANYWHERE -> anywhere(bytes, isEnd);
            case LEFT_ALONE -> OptionalInt.of(0);
          };
      if (found.isPresent()) {
        return found;
      }
    } while (state != before);
    return isEnd ? OptionalInt.of(0) : OptionalInt.empty();
  }

  private OptionalInt beginning(ByteBuffer bytes, boolean isEnd) {
    if (bytes.limit() < SIGNATURE_BYTES && !isEnd) {
      return OptionalInt.empty();
    }
    String signature = text(bytes, 0, SIGNATURE_BYTES);
    if (signature.equals(PNG)) {
      goOn(State.PNG_CHUNK, SIGNATURE_BYTES);
    } else if (signature.startsWith(JPEG)) {
      goOn(State.JPEG_BODY, 2);
    } else if (bytes.limit() < SIGNATURE_BYTES + BYTE_ORDER_MARK.length() && !isEnd) {
      return OptionalInt.empty();
    } else {
      goOn(isKnown(bytes, signature) ? State.LEFT_ALONE : State.ANYWHERE, 0);
    }
    return OptionalInt.empty();
  }

  private static boolean isKnown(ByteBuffer bytes, String signature) {
    String line =
        signature.startsWith(BYTE_ORDER_MARK)
            ? text(bytes, BYTE_ORDER_MARK.length(), SIGNATURE_BYTES)
            : signature;
    return line.startsWith("#EXTM3U")
        || line.startsWith("#EXT-X-")
        || line.startsWith("WEBVTT")
        || signature.startsWith("ID3")
        || BOXES.contains(text(bytes, 4, 4));
  }

  private OptionalInt pngChunks(ByteBuffer bytes, boolean isEnd) {
    while (at + SIGNATURE_BYTES <= bytes.limit()) {
      int length = bytes.getInt(at);
      String type = text(bytes, at + 4, 4);
      if (length < 0 || length > MAX_BYTES || !type.matches("[A-Za-z]{4}")) {
        goOn(State.ANYWHERE, SIGNATURE_BYTES);
        return OptionalInt.empty();
      }
      at += PNG_CHUNK_BYTES + length;
      if (type.equals("IEND")) {
        goOn(State.BEHIND_PICTURE, at);
        return OptionalInt.empty();
      }
    }
    if (isEnd) {
      goOn(State.ANYWHERE, SIGNATURE_BYTES);
    }
    return OptionalInt.empty();
  }

  private OptionalInt jpegBody(ByteBuffer bytes, boolean isEnd) {
    for (; at + 1 < bytes.limit(); at++) {
      if (unsigned(bytes, at) == 0xff && unsigned(bytes, at + 1) == END_OF_IMAGE) {
        goOn(State.BEHIND_PICTURE, at + 2);
        return OptionalInt.empty();
      }
    }
    if (isEnd) {
      goOn(State.ANYWHERE, 2);
    }
    return OptionalInt.empty();
  }

  private OptionalInt behindPicture(ByteBuffer bytes, boolean isEnd) {
    while (at < bytes.limit() && (bytes.get(at) == 0 || bytes.get(at) == (byte) 0xff)) {
      at++;
    }
    if (at >= bytes.limit()) {
      return OptionalInt.empty();
    }
    int packets = packetsAt(bytes, at, PACKETS_BEHIND_PICTURE);
    boolean isWhole = bytes.limit() - at >= PACKET_BYTES;
    if (packets == PACKETS_BEHIND_PICTURE || (packets > 0 && isEnd && isWhole)) {
      return OptionalInt.of(at);
    }
    if (packets == 0 || isEnd) {
      goOn(State.ANYWHERE, at);
    }
    return OptionalInt.empty();
  }

  private OptionalInt anywhere(ByteBuffer bytes, boolean isEnd) {
    for (; at < bytes.limit(); at++) {
      // nothing is cut at 0, so little is needed there
      int wanted = at == 0 ? PACKETS_BEHIND_PICTURE : PACKETS_ELSEWHERE;
      int packets = packetsAt(bytes, at, wanted);
      if (packets == wanted || (packets > 0 && isEnd && isShortStream(bytes, packets))) {
        return OptionalInt.of(at);
      }
      if (packets > 0 && !isEnd) {
        return OptionalInt.empty(); // to be continued here
      }
    }
    return OptionalInt.empty();
  }

  private boolean isShortStream(ByteBuffer bytes, int packets) {
    return packets > 1 && at <= SHORT_JUNK_BYTES && (bytes.limit() - at) % PACKET_BYTES == 0;
  }

  /**
   * How many packets begin in a row, as far as can be seen.
   *
   * @return 0 if fewer than {@code wanted} do and it can be seen
   */
  private static int packetsAt(ByteBuffer bytes, int first, int wanted) {
    int packets = 0;
    for (int p = first; p < bytes.limit() && packets < wanted; p += PACKET_BYTES) {
      if (unsigned(bytes, p) != SYNC) {
        return 0;
      }
      packets++;
    }
    return packets;
  }

  private void goOn(State next, int from) {
    state = next;
    at = from;
  }

  private static int unsigned(ByteBuffer bytes, int at) {
    return bytes.get(at) & 0xff;
  }

  /** Byte for character; shorter at the end. */
  private static String text(ByteBuffer bytes, int at, int length) {
    byte[] window = new byte[Math.max(0, Math.min(length, bytes.limit() - at))];
    if (window.length > 0) {
      bytes.get(at, window);
    }
    return new String(window, ISO_8859_1);
  }
}
