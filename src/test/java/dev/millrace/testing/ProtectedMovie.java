package dev.millrace.testing;

import java.util.List;

/**
 * A fragmented movie, protected, and how it was before.
 *
 * @param init up to the end of its movie box
 * @param fragments each with what stands before its moof, up to the end of its mdat
 * @param clear the whole of what it was made of
 */
public record ProtectedMovie(byte[] init, List<byte[]> fragments, byte[] clear) {
  /** All of it. */
  public byte[] file() {
    return MovieBox.joined(List.of(init, media()));
  }

  /** All fragments. */
  public byte[] media() {
    return MovieBox.joined(fragments);
  }

  /** Payloads of the mdat boxes of a file, in their order: protection changes their bytes only. */
  public static List<byte[]> payloads(byte[] file) {
    return MovieBox.read(file).stream()
        .filter(box -> box.type().equals("mdat"))
        .map(MovieBox::content)
        .toList();
  }

  /** Those of the clear movie. */
  public List<byte[]> clearPayloads() {
    return payloads(clear);
  }
}
