package dev.millrace.ts;

import dev.millrace.mp4.Box;
import dev.millrace.stream.MediaFormatException;
import java.util.Optional;

/** AAC with a header before each frame (ADTS, ISO/IEC 13818-7 §6.2), from {@code esds}. */
final class AdtsFraming implements Framing {
  private static final int HEADER_BYTES = 7;
  private static final int MAX_FRAME_BYTES = (1 << 13) - 1;

  /** Descriptors of ISO/IEC 14496-1 §7.2.6. */
  private static final int ES_DESCRIPTOR = 3;

  private static final int DECODER_CONFIG = 4;
  private static final int DECODER_SPECIFIC = 5;
  private static final int[] RATES = {
    96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350
  };

  private final int profile;
  private final int frequencyIndex;
  private final int channels;

  private AdtsFraming(int profile, int frequencyIndex, int channels) {
    this.profile = profile;
    this.frequencyIndex = frequencyIndex;
    this.channels = channels;
  }

  /**
   * Absent if it is no AAC, or one that ADTS cannot say.
   *
   * @throws MediaFormatException if a descriptor does not fit
   */
  static Optional<AdtsFraming> of(Box esds) throws MediaFormatException {
    int at = 4;
    at = content(esds, at, ES_DESCRIPTOR);
    int flags = esds.byteAt(at + 2);
    at += 3 + ((flags & 0x80) != 0 ? 2 : 0) + ((flags & 0x20) != 0 ? 2 : 0);
    at += (flags & 0x40) != 0 ? 1 + esds.byteAt(at) : 0;
    at = content(esds, at, DECODER_CONFIG);
    int objectType = esds.byteAt(at);
    if (objectType != 0x40 && (objectType < 0x66 || objectType > 0x68)) {
      return Optional.empty(); // MP3 and others
    }
    at = content(esds, at + 13, DECODER_SPECIFIC);
    return configuration(new Bits(esds, at));
  }

  /** Where the content of the descriptor that stands there begins. */
  private static int content(Box esds, int start, int tag) throws MediaFormatException {
    if (esds.byteAt(start) != tag) {
      throw MediaFormatException.malformed("Box 'esds' has no descriptor " + tag + ".");
    }
    int at = start + 1;
    while ((esds.byteAt(at) & 0x80) != 0) { // its length, seven bits at a time
      at++;
    }
    return at + 1;
  }

  /** AudioSpecificConfig (ISO/IEC 14496-3 §1.6.2.1): what the core of it is. */
  private static Optional<AdtsFraming> configuration(Bits bits) throws MediaFormatException {
    int type = bits.objectType();
    int frequency = bits.frequencyIndex();
    int channels = bits.next(4);
    if (type == 5 || type == 29) { // SBR and PS are said; ADTS says the core only
      bits.frequencyIndex();
      type = bits.objectType();
    }
    boolean isSayable = type >= 1 && type <= 4 && frequency >= 0 && channels >= 1 && channels <= 7;
    return isSayable
        ? Optional.of(new AdtsFraming(type - 1, frequency, channels))
        : Optional.empty();
  }

  /** Reads bits, the highest first. */
  private static final class Bits {
    private final Box box;
    private int bit;

    Bits(Box box, int from) {
      this.box = box;
      this.bit = 8 * from;
    }

    int next(int count) throws MediaFormatException {
      int value = 0;
      for (int i = 0; i < count; i++, bit++) {
        value = (value << 1) | ((box.byteAt(bit / 8) >> (7 - bit % 8)) & 1);
      }
      return value;
    }

    int objectType() throws MediaFormatException {
      int type = next(5);
      return type == 31 ? 32 + next(6) : type;
    }

    /** -1 for a rate that has no index. */
    int frequencyIndex() throws MediaFormatException {
      int index = next(4);
      if (index != 15) {
        return index < RATES.length ? index : -1;
      }
      int rate = next(24);
      for (int i = 0; i < RATES.length; i++) {
        if (RATES[i] == rate) {
          return i;
        }
      }
      return -1;
    }
  }

  @Override
  public void write(byte[] sample, int length, AccessUnit unit) throws MediaFormatException {
    int frame = length + HEADER_BYTES;
    if (frame > MAX_FRAME_BYTES) {
      throw MediaFormatException.malformed(
          "A frame of AAC has " + length + " bytes (at most " + MAX_FRAME_BYTES + ").");
    }
    unit.u8(0xff).u8(0xf1);
    unit.u8(profile << 6 | frequencyIndex << 2 | channels >> 2);
    unit.u8((channels & 3) << 6 | frame >> 11);
    unit.u8(frame >> 3);
    unit.u8((frame & 7) << 5 | 0x1f).u8(0xfc);
    unit.put(sample, 0, length);
  }
}
