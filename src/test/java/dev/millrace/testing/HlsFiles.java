package dev.millrace.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;

/** The files of a directory, with ranges, validators and the media types of RFC 8216 §4. */
public final class HlsFiles implements Script {
  private static final Map<String, String> TYPES =
      Map.of(
          "m3u8", "application/vnd.apple.mpegurl",
          "ts", "video/mp2t",
          "mp4", "video/mp4",
          "m4s", "video/mp4",
          "vtt", "text/vtt");

  private final Path directory;
  private final String[] further;

  /**
   * @param further header lines of every answer
   */
  public HlsFiles(Path directory, String... further) {
    this.directory = directory;
    this.further = further.clone();
  }

  @Override
  public void answer(OriginExchange exchange) throws IOException {
    byte[] file;
    try {
      file = read(exchange.request().path().substring(1));
    } catch (NoSuchFileException e) {
      exchange.text(404, "no such file");
      return;
    }
    send(exchange, file);
  }

  /** A whole file. */
  public byte[] read(String name) throws IOException {
    return Files.readAllBytes(directory.resolve(name));
  }

  /** Answers with {@code file} or the range of it that was asked. */
  public void send(OriginExchange exchange, byte[] file) throws IOException {
    RangeAsked range = RangeAsked.of(exchange.request(), file.length);
    if (range.isUnsatisfiable()) {
      exchange.text(416, "", "Content-Range: bytes */" + file.length);
      return;
    }
    byte[] part = Arrays.copyOfRange(file, (int) range.from(), (int) range.to());
    exchange.bytes(range.isWhole() ? 200 : 206, part, fields(exchange.request(), file, range));
  }

  /** The header lines of such an answer, but for its length. */
  public String[] fields(RecordedRequest request, byte[] file, RangeAsked range) {
    String ending = request.path().substring(request.path().lastIndexOf('.') + 1);
    String answered = "bytes " + range.from() + '-' + (range.to() - 1) + '/' + file.length;
    String[] own = {
      "Content-Type: " + TYPES.getOrDefault(ending, "application/octet-stream"),
      "Accept-Ranges: bytes",
      "ETag: \"" + Integer.toHexString(Arrays.hashCode(file)) + '"',
      (range.isWhole() ? "X-Whole: " : "Content-Range: ") + answered
    };
    return Stream.concat(Stream.of(own), Stream.of(further)).toArray(String[]::new);
  }
}
