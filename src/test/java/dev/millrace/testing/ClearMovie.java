package dev.millrace.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * A fragmented movie (ISO/IEC 14496-12 §8.8) of random samples, which no decoder takes, but every
 * reader of boxes: track 1 is video, track 2 audio.
 *
 * @param fragments how many
 * @param runs of each track in each of them
 * @param video sizes of its samples in each run
 * @param audio the same; empty: there is no audio
 */
public record ClearMovie(int fragments, int runs, List<Integer> video, List<Integer> audio) {
  /** Three fragments of two runs; video and audio, sizes round those of blocks. */
  public static final ClearMovie TYPICAL =
      new ClearMovie(
          3, 2, List.of(1, 15, 16, 17, 160, 175, 1000, 5000, 20_000), List.of(3, 31, 32, 400, 417));

  public byte[] bytes() {
    List<byte[]> parts = new ArrayList<>();
    parts.add(box("ftyp", "iso6".getBytes(ISO_8859_1), ints(0), "iso6cmfc".getBytes(ISO_8859_1)));
    parts.add(movie());
    Random random = new Random(video.size());
    for (int i = 0; i < fragments; i++) {
      parts.add(fragment(i));
      byte[] samples = new byte[runs * (sum(video) + sum(audio))];
      random.nextBytes(samples);
      parts.add(box("mdat", samples));
    }
    return MovieBox.joined(parts);
  }

  private byte[] movie() {
    byte[] matrix = new byte[36];
    ByteBuffer.wrap(matrix).putInt(0, 0x10000).putInt(16, 0x10000).putInt(32, 0x40000000);
    byte[] header =
        box(
            "mvhd",
            ints(0, 0, 0, 1000, 0, 0x10000, 0x1000000, 0, 0),
            matrix,
            new byte[24],
            ints(3));
    byte[] sound =
        box("mp4a", ints(0, 1, 0, 0, 2 << 16 | 16, 0, 48_000 << 16), box("esds", ints(0)));
    byte[] picture =
        box(
            "avc1",
            ints(0, 1, 0, 0, 0, 0, 128 << 16 | 72, 0x480000, 0x480000, 0),
            new byte[] {0, 1},
            new byte[32],
            new byte[] {0, 24, -1, -1},
            box("avcC", new byte[] {1, 66, 0, 10, -1, -32, 0}));
    boolean hasSound = !audio.isEmpty();
    byte[] none = new byte[0];
    return box(
        "moov",
        header,
        track(1, "vide", 90_000, picture, matrix),
        hasSound ? track(2, "soun", 48_000, sound, matrix) : none,
        box(
            "mvex",
            box("trex", ints(0, 1, 1, 3000, 0, 0)),
            hasSound ? box("trex", ints(0, 2, 1, 1024, 0, 0)) : none));
  }

  private static byte[] track(int id, String handler, int scale, byte[] entry, byte[] matrix) {
    byte[] table =
        box(
            "stbl",
            box("stsd", ints(0, 1), entry),
            box("stts", ints(0, 0)),
            box("stsc", ints(0, 0)),
            box("stsz", ints(0, 0, 0)),
            box("stco", ints(0, 0)));
    return box(
        "trak",
        box("tkhd", ints(3, 0, 0, id, 0, 0, 0, 0, 0, 0), matrix, ints(128 << 16, 72 << 16)),
        box(
            "mdia",
            box("mdhd", ints(0, 0, 0, scale, 0, 0x55c40000)),
            box("hdlr", ints(0, 0), handler.getBytes(ISO_8859_1), ints(0, 0, 0), new byte[1]),
            box("minf", table)));
  }

  private byte[] fragment(int number) {
    int length = moof(number, 0).length;
    return moof(number, length + 8);
  }

  private byte[] moof(int number, int dataAt) {
    int audioAt = dataAt + runs * sum(video);
    return box(
        "moof",
        box("mfhd", ints(0, number + 1)),
        traf(1, number * runs * video.size() * 3000, video, dataAt),
        audio.isEmpty()
            ? new byte[0]
            : traf(2, number * runs * audio.size() * 1024, audio, audioAt));
  }

  private byte[] traf(int track, int time, List<Integer> sizes, int dataAt) {
    List<byte[]> parts = new ArrayList<>();
    parts.add(box("tfhd", ints(0x20000, track)));
    parts.add(box("tfdt", ints(0, time)));
    for (int run = 0; run < runs; run++) {
      int[] fields = new int[3 + sizes.size()];
      fields[0] = 0x201;
      fields[1] = sizes.size();
      fields[2] = dataAt + run * sum(sizes);
      for (int i = 0; i < sizes.size(); i++) {
        fields[3 + i] = sizes.get(i);
      }
      parts.add(box("trun", ints(fields)));
    }
    return box("traf", parts.toArray(new byte[0][]));
  }

  private static int sum(List<Integer> sizes) {
    return sizes.stream().mapToInt(Integer::intValue).sum();
  }

  private static byte[] ints(int... values) {
    ByteBuffer out = ByteBuffer.allocate(4 * values.length);
    Arrays.stream(values).forEach(out::putInt);
    return out.array();
  }

  private static byte[] box(String type, byte[]... contents) {
    return MovieBox.of(type, MovieBox.joined(List.of(contents))).bytes();
  }
}
