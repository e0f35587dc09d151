package dev.millrace.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A fragmented movie in pieces, by the headers of its boxes.
 *
 * @param init up to the end of its movie box
 * @param fragments each from what stands before its moof to the end of its mdat
 */
@SuppressWarnings("ArrayRecordComponent") // read once, by the test that made it
public record CutMovie(byte[] init, List<byte[]> fragments) {
  private static final int MOOV = 0x6d6f6f76;
  private static final int MDAT = 0x6d646174;

  /** A file whose boxes all have sizes of 32 bits. */
  public static CutMovie of(byte[] file) {
    byte[] init = new byte[0];
    List<byte[]> fragments = new ArrayList<>();
    int start = 0;
    for (int at = 0; at < file.length; ) {
      ByteBuffer header = ByteBuffer.wrap(file, at, 8);
      int end = at + header.getInt();
      int type = header.getInt();
      if (type == MOOV) {
        init = Arrays.copyOfRange(file, 0, end);
        start = end;
      } else if (type == MDAT) {
        fragments.add(Arrays.copyOfRange(file, start, end));
        start = end;
      }
      at = end;
    }
    return new CutMovie(init, fragments);
  }

  /** Five seconds of pictures and sound in five fragments, without an index. */
  public static byte[] clip() {
    try {
      Path file = Files.createTempFile("clip", ".mp4");
      ExternalProgram.Outcome made =
          ExternalProgram.required("ffmpeg")
              .run(
                  Duration.ofSeconds(60),
                  ("-v error -f lavfi -i testsrc=s=128x72:d=5:r=25 -f lavfi -i sine=d=5 -g 25 -bf 2"
                          + " -movflags empty_moov+default_base_moof+frag_keyframe -y "
                          + file)
                      .split(" "));
      if (made.exit() != 0) {
        throw new AssertionError(made.errors());
      }
      byte[] bytes = Files.readAllBytes(file);
      Files.delete(file);
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One behind the other. */
  public static byte[] joined(byte[]... parts) {
    return MovieBox.joined(List.of(parts));
  }
}
