package dev.millrace.proxy;

import dev.millrace.upstream.ContentRange;
import dev.millrace.upstream.Target;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the link of an encrypted segment says that is to be delivered clear (RFC 8216 §4.3.2.4).
 *
 * @param key where its key is ({@code decrypt_key})
 * @param ivDigits its initialization vector as 32 hexadecimal digits ({@code decrypt_iv})
 * @param range the bytes of the file that are the segment ({@code decrypt_range}); absent: all
 */
public record SegmentDecryption(Target key, String ivDigits, Optional<ByteRange> range) {
  private static final String KEY = "decrypt_key";
  private static final String IV = "decrypt_iv";
  private static final String RANGE = "decrypt_range";

  /** As playlists write it, or without {@code 0x}. */
  private static final Pattern IV_FORM = Pattern.compile("(?:0[xX])?([0-9a-fA-F]{32})");

  private static final Pattern RANGE_FORM = Pattern.compile("(\\d{1,18})-(\\d{1,18})");

  /**
   * Reads the parameters; without {@code decrypt_key} the others mean nothing.
   *
   * @return absent if nothing is to be decrypted
   * @throws ValidationException (422) if {@code decrypt_iv} is missing
   * @throws BadParameterException (400) if a value cannot be used
   */
  public static Optional<SegmentDecryption> of(QueryParameters query)
      throws ValidationException, BadParameterException {
    String key = query.value(KEY).orElse("");
    if (key.isEmpty()) {
      return Optional.empty();
    }
    Target target = Destination.target(KEY, key);
    return Optional.of(new SegmentDecryption(target, ivOf(query), rangeOf(query)));
  }

  private static String ivOf(QueryParameters query)
      throws ValidationException, BadParameterException {
    String iv = query.value(IV).orElse("");
    if (iv.isEmpty()) {
      throw ValidationException.missing(IV);
    }
    Matcher form = IV_FORM.matcher(iv);
    if (!form.matches()) {
      throw new BadParameterException(
          IV, "not an initialization vector (expected: 32 hexadecimal digits)");
    }
    return form.group(1);
  }

  private static Optional<ByteRange> rangeOf(QueryParameters query) throws BadParameterException {
    String range = query.value(RANGE).orElse("");
    if (range.isEmpty()) {
      return Optional.empty();
    }
    Matcher form = RANGE_FORM.matcher(range);
    if (!form.matches() || Long.parseLong(form.group(2)) < Long.parseLong(form.group(1))) {
      throw new BadParameterException(RANGE, "not a range (expected: as in 0-499)");
    }
    return Optional.of(
        new ByteRange(
            OptionalLong.of(Long.parseLong(form.group(1))),
            OptionalLong.of(Long.parseLong(form.group(2)))));
  }

  /** 16 bytes. */
  public byte[] iv() {
    return HexFormat.of().parseHex(ivDigits);
  }

  /** How the segment is asked for. */
  public RangeRequest rangeRequest() {
    return new RangeRequest(range, Optional.empty());
  }

  /** Whether that part of the file is exactly the segment. */
  public boolean isSegment(ContentRange sent) {
    return range
        .filter(r -> r.first().getAsLong() == sent.first() && r.last().getAsLong() == sent.last())
        .isPresent();
  }

  /** Without addresses, which are signed at times. */
  @Override
  public String toString() {
    return "SegmentDecryption[key=" + key.origin() + "]";
  }
}
