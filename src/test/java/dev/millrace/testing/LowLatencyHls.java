package dev.millrace.testing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A low-latency live stream, RFC 8216bis §6.2.2 and appendix B, from a fragmented MP4 whose
 * fragments are the parts: half a second each, four to a segment. Paths are {@code
 * /ll/SESSION/index.m3u8} (multivariant), {@code …/high.m3u8}, {@code …/low.m3u8} (the same media
 * twice, for rendition reports), {@code …/init.mp4}, {@code …/M.m4s} and {@code …/M.P.m4s}. Each
 * session begins with its first request, with a past of {@link #PAST_SEGMENTS} segments.
 *
 * <p>Reloads block ({@code _HLS_msn}, {@code _HLS_part}), delta updates are given ({@code
 * _HLS_skip}), and a hinted part is answered once it is there.
 */
public final class LowLatencyHls implements Script {
  private static final int FIRST_NUMBER = 100;
  private static final int PAST_SEGMENTS = 10;
  private static final int WINDOW_SEGMENTS = 8;
  private static final int SEGMENTS_WITH_PARTS = 3;
  private static final int PARTS = 4;
  private static final long PART_MILLIS = 500;
  private static final int SKIP_BOUNDARY_SEGMENTS = 6;
  private static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");
  private static final Pattern MEDIA = Pattern.compile("(\\d+)(?:\\.(\\d))?\\.m4s");
  private static final Pattern ASKED = Pattern.compile("_HLS_(msn|part)=(\\d+)");

  private static final String MULTIVARIANT =
      """
      #EXTM3U
      #EXT-X-VERSION:9
      #EXT-X-INDEPENDENT-SEGMENTS
      #EXT-X-STREAM-INF:BANDWIDTH=600000,RESOLUTION=320x180,CODECS="avc1.42c00c,mp4a.40.2"
      high.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=320x180,CODECS="avc1.42c00c,mp4a.40.2"
      low.m3u8
      """;

  private static final String HEAD =
      """
      #EXTM3U
      #EXT-X-VERSION:9
      #EXT-X-TARGETDURATION:2
      #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=3.0,CAN-SKIP-UNTIL=12.0
      #EXT-X-PART-INF:PART-TARGET=0.5
      #EXT-X-MEDIA-SEQUENCE:%d
      """;

  private final HlsFiles origin;
  private final byte[] init;
  private final List<byte[]> parts;
  private final Map<String, Long> beginnings = new ConcurrentHashMap<>();

  private LowLatencyHls(HlsFiles origin, byte[] init, List<byte[]> parts) {
    this.origin = origin;
    this.init = init;
    this.parts = parts;
  }

  /** {@code file} is a fragmented MP4: its first two boxes are the initialization section. */
  public static LowLatencyHls of(HlsFiles origin, String file) throws IOException {
    List<byte[]> boxes = boxes(origin.read(file));
    List<byte[]> parts = new ArrayList<>();
    for (int i = 2; i + 1 < boxes.size(); i += 2) {
      parts.add(concat(boxes.subList(i, i + 2)));
    }
    return new LowLatencyHls(origin, concat(boxes.subList(0, 2)), parts);
  }

  @Override
  public void answer(OriginExchange exchange) throws IOException {
    String path = exchange.request().path();
    String name = path.substring(path.lastIndexOf('/') + 1);
    String session = path.substring(0, path.length() - name.length());
    long began = beginnings.computeIfAbsent(session, any -> System.nanoTime());
    Matcher media = MEDIA.matcher(name);
    if (name.equals("index.m3u8")) {
      origin.send(exchange, Wire.ascii(MULTIVARIANT));
    } else if (name.equals("init.mp4")) {
      origin.send(exchange, init);
    } else if (media.matches()) {
      sendMedia(exchange, began, media);
    } else {
      sendPlaylist(exchange, began, name);
    }
  }

  private void sendMedia(OriginExchange exchange, long began, Matcher media) throws IOException {
    int segment = (Integer.parseInt(media.group(1)) - FIRST_NUMBER) * PARTS;
    boolean isPart = media.group(2) != null;
    int from = segment + (isPart ? Integer.parseInt(media.group(2)) : 0);
    int to = isPart ? from + 1 : segment + PARTS;
    if (from < 0 || to > parts.size() || to > published(began) + PARTS) {
      exchange.text(404, "not in this stream");
    } else if (waitFor(exchange, began, to)) {
      origin.send(exchange, concat(parts.subList(from, to)));
    }
  }

  private void sendPlaylist(OriginExchange exchange, long began, String name) throws IOException {
    String target = exchange.request().target();
    int number = -1;
    int part = PARTS - 1;
    for (Matcher asked = ASKED.matcher(target); asked.find(); ) {
      int value = Integer.parseInt(asked.group(2));
      if (asked.group(1).equals("msn")) {
        number = value;
      } else {
        part = value;
      }
    }
    int wanted = number < 0 ? 0 : (number - FIRST_NUMBER) * PARTS + part + 1;
    if (wanted > published(began) + 2 * PARTS) {
      exchange.text(400, "too far in the future");
    } else if (waitFor(exchange, began, wanted)) {
      String text = playlist(published(began), name, target.contains("_HLS_skip=YES"));
      origin.send(exchange, Wire.ascii(text));
    }
  }

  private static int published(long began) {
    long millis = (System.nanoTime() - began) / 1_000_000;
    return PAST_SEGMENTS * PARTS + (int) (millis / PART_MILLIS);
  }

  /** False if the peer has gone meanwhile. */
  private static boolean waitFor(OriginExchange exchange, long began, int parts)
      throws IOException {
    while (published(began) < parts) {
      if (!exchange.pause(Duration.ofMillis(20))) {
        return false;
      }
    }
    return true;
  }

  private String playlist(int published, String name, boolean isDelta) {
    int complete = published / PARTS;
    int first = complete - WINDOW_SEGMENTS;
    int from = isDelta ? complete - SKIP_BOUNDARY_SEGMENTS : first;
    StringBuilder text = new StringBuilder(HEAD.formatted(first + FIRST_NUMBER));
    text.append(
        isDelta
            ? "#EXT-X-SKIP:SKIPPED-SEGMENTS=" + (from - first) + '\n'
            : "#EXT-X-MAP:URI=\"init.mp4\"\n");
    for (int segment = from; segment < complete; segment++) {
      appendTime(text, segment);
      if (segment >= complete - SEGMENTS_WITH_PARTS) {
        appendParts(text, segment, PARTS);
      }
      text.append("#EXTINF:2.0,\n").append(segment + FIRST_NUMBER).append(".m4s\n");
    }
    if (published % PARTS > 0) {
      appendTime(text, complete);
    }
    appendParts(text, complete, published % PARTS);
    int last = published - 1;
    return text.append("#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"")
        .append(partName(complete, published % PARTS))
        .append("\"\n#EXT-X-RENDITION-REPORT:URI=\"")
        .append(name.equals("high.m3u8") ? "low.m3u8" : "high.m3u8")
        .append("\",LAST-MSN=" + (last / PARTS + FIRST_NUMBER) + ",LAST-PART=" + last % PARTS)
        .append('\n')
        .toString();
  }

  private static void appendTime(StringBuilder text, int segment) {
    Instant time = BEGINNING.plusMillis(PART_MILLIS * PARTS * segment);
    text.append("#EXT-X-PROGRAM-DATE-TIME:").append(time).append('\n');
  }

  private static void appendParts(StringBuilder text, int segment, int count) {
    for (int part = 0; part < count; part++) {
      text.append("#EXT-X-PART:DURATION=0.5,URI=\"").append(partName(segment, part));
      text.append(part == 0 ? "\",INDEPENDENT=YES\n" : "\"\n");
    }
  }

  private static String partName(int segment, int part) {
    return (segment + FIRST_NUMBER) + "." + part + ".m4s";
  }

  private static List<byte[]> boxes(byte[] file) {
    List<byte[]> boxes = new ArrayList<>();
    ByteBuffer bytes = ByteBuffer.wrap(file);
    while (bytes.hasRemaining()) {
      byte[] box = new byte[bytes.getInt(bytes.position())];
      bytes.get(box);
      boxes.add(box);
    }
    return boxes;
  }

  private static byte[] concat(List<byte[]> pieces) {
    ByteBuffer all = ByteBuffer.allocate(pieces.stream().mapToInt(piece -> piece.length).sum());
    pieces.forEach(all::put);
    return all.array();
  }
}
