package dev.millrace.testing;

import java.util.List;

/** A fragmented movie, protected, and how it was before. */
public final class ProtectedMovie {
  private final byte[] init;
  private final List<byte[]> fragments;
  private final byte[] clear;

  ProtectedMovie(byte[] init, List<byte[]> fragments, byte[] clear) {
    this.init = init;
    this.fragments = List.copyOf(fragments);
    this.clear = clear;
  }

  /** Up to the end of its movie box. */
  public byte[] init() {
    return init;
  }

  /** Each with what stands before its moof, up to the end of its mdat. */
  public List<byte[]> fragments() {
    return fragments;
  }

  /** The whole of what it was made of. */
  public byte[] clear() {
    return clear;
  }

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
