package dev.millrace.dash;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * One form of the media of a set (ISO/IEC 23009-1 §5.3.5), with what it inherits.
 *
 * @param id {@code @id}; empty if it has none
 * @param profileId names it in links: {@code set_representation_bandwidth}; if several of a period
 *     have the same, the second ends in {@code _2} and so on
 * @param bandwidth in bits per second; 0 if it is not said
 * @param mimeType never empty; guessed from the codecs if it is not said
 * @param frameRate pictures per second, as a decimal
 * @param videoRange {@code SDR HLG PQ}, if the descriptors say so
 * @param channels of {@code AudioChannelConfiguration}, the first that can be read
 * @param baseUrls absolute, the first choice first
 * @param addressing where its segments are
 * @param protections of {@code ContentProtection}, those of its set included
 */
public record Representation(
    String id,
    String profileId,
    long bandwidth,
    String mimeType,
    Optional<String> codecs,
    OptionalInt width,
    OptionalInt height,
    Optional<String> frameRate,
    Optional<String> videoRange,
    OptionalLong audioSamplingRate,
    OptionalInt channels,
    List<String> baseUrls,
    Addressing addressing,
    List<ContentProtection> protections) {
  public Representation {
    baseUrls = List.copyOf(baseUrls);
    protections = List.copyOf(protections);
  }

  /** The same under another name. */
  Representation withProfileId(String other) {
    return new Representation(
        id,
        other,
        bandwidth,
        mimeType,
        codecs,
        width,
        height,
        frameRate,
        videoRange,
        audioSamplingRate,
        channels,
        baseUrls,
        addressing,
        protections);
  }

  /**
   * How it is protected (§5.8.4.1).
   *
   * @param schemeIdUri in small letters
   * @param defaultKid 32 hexadecimal digits, small
   */
  public record ContentProtection(String schemeIdUri, Optional<String> defaultKid) {}
}
