package dev.millrace.hls;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.stream.ByteBuilder;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * A playlist as it was received, byte for byte. Can be read by several at a time, each with a
 * {@link Cursor} of its own.
 */
public final class PlaylistText {
  /** Longest playlist, in bytes. */
  public static final int MAX_BYTES = 16 << 20;

  private final List<byte[]> blocks;
  private final int length;

  private PlaylistText(List<byte[]> blocks, int length) {
    this.blocks = blocks;
    this.length = length;
  }

  public static PlaylistText of(String text) {
    Collector collector = new Collector();
    collector.append(ByteBuffer.wrap(text.getBytes(UTF_8)));
    return collector.toText();
  }

  /** In bytes. */
  public int length() {
    return length;
  }

  /** The same bytes, for one reader. */
  public InputStream stream() {
    return new SequenceInputStream(
        Collections.enumeration(blocks.stream().map(ByteArrayInputStream::new).toList()));
  }

  public Cursor cursor() {
    return new Cursor();
  }

  /** Gathers a playlist in blocks, so that nothing is copied when it grows. */
  public static final class Collector {
    private static final int MIN_BLOCK = 4 << 10;
    private static final int MAX_BLOCK = 64 << 10;

    private final List<byte[]> blocks = new ArrayList<>();
    private byte[] block = new byte[0];
    private int used;
    private int length;

    /**
     * Copies the remaining bytes.
     *
     * @return whether they fitted; what is beyond {@link #MAX_BYTES} is not kept
     */
    public boolean append(ByteBuffer bytes) {
      while (bytes.hasRemaining() && length < MAX_BYTES) {
        if (used == block.length) {
          int size = Math.max(bytes.remaining(), Math.max(MIN_BLOCK, 2 * block.length));
          block = new byte[Math.min(MAX_BLOCK, size)];
          blocks.add(block);
          used = 0;
        }
        int count = Math.min(bytes.remaining(), Math.min(block.length - used, MAX_BYTES - length));
        bytes.get(block, used, count);
        used += count;
        length += count;
      }
      return !bytes.hasRemaining();
    }

    public int length() {
      return length;
    }

    /** Ends the collecting. */
    public PlaylistText toText() {
      if (!blocks.isEmpty() && used < block.length) {
        blocks.set(blocks.size() - 1, Arrays.copyOf(block, used));
      }
      return new PlaylistText(List.copyOf(blocks), length);
    }
  }

  /** A place in the text. Confined to one caller. */
  public final class Cursor {
    private int position;
    private int index;
    private int offset;
    private int markedPosition;
    private int markedIndex;
    private int markedOffset;

    private Cursor() {}

    /** Of the next byte. */
    public int position() {
      return position;
    }

    public boolean isAtEnd() {
      return position == length;
    }

    /** Remembers this place, and forgets one that was remembered before. */
    public void mark() {
      markedPosition = position;
      markedIndex = index;
      markedOffset = offset;
    }

    /** Returns to the remembered place. */
    public void reset() {
      position = markedPosition;
      index = markedIndex;
      offset = markedOffset;
    }

    /**
     * Reads one line with its end ({@code LF} or {@code CRLF}), which only the last may lack.
     *
     * @param line gets the bytes; of a longer line only the first {@code maxBytes}
     * @return bytes of the whole line, its end included; 0 at the end of the text
     */
    public int readLine(ByteBuilder line, int maxBytes) {
      int start = position;
      while (position < length) {
        byte[] block = blocks.get(index);
        int end = offset;
        while (end < block.length && block[end] != '\n') {
          end++;
        }
        boolean isEnd = end < block.length;
        int stop = isEnd ? end + 1 : end;
        int room = Math.max(0, maxBytes - line.length());
        line.append(block, offset, Math.min(room, stop - offset));
        position += stop - offset;
        moveTo(block, stop);
        if (isEnd) {
          break;
        }
      }
      return position - start;
    }

    /** Reads on up to {@code maxBytes}, across lines. */
    public void read(ByteBuilder out, int maxBytes) {
      int left = Math.min(maxBytes, length - position);
      while (left > 0) {
        byte[] block = blocks.get(index);
        int count = Math.min(left, block.length - offset);
        out.append(block, offset, count);
        position += count;
        left -= count;
        moveTo(block, offset + count);
      }
    }

    /** Goes on by so many bytes, at most to the end. */
    public void skip(int bytes) {
      int left = Math.min(bytes, length - position);
      while (left > 0) {
        byte[] block = blocks.get(index);
        int count = Math.min(left, block.length - offset);
        position += count;
        left -= count;
        moveTo(block, offset + count);
      }
    }

    private void moveTo(byte[] block, int next) {
      offset = next;
      if (offset == block.length) {
        index++;
        offset = 0;
      }
    }
  }
}
