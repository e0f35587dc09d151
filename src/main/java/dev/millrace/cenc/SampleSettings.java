package dev.millrace.cenc;

import dev.millrace.cenc.ProtectedRanges.Setting;
import dev.millrace.mp4.FourCc;
import dev.millrace.mp4.SampleProtection;
import dev.millrace.stream.MediaFormatException;
import java.util.IdentityHashMap;
import java.util.Optional;

/**
 * Turns what a fragment says of its samples into keys and ciphers. One for each track fragment, so
 * that samples share what is equal.
 */
final class SampleSettings {
  private static final int PIFF = FourCc.of("piff");

  private final DecryptionOptions options;
  private final int schemeCode;
  private final IdentityHashMap<SampleProtection, Optional<Setting>> settings =
      new IdentityHashMap<>();

  /**
   * @param schemeCode of the scheme; that of PIFF and 0 are AES-CTR
   */
  SampleSettings(DecryptionOptions options, int schemeCode) {
    this.options = options;
    this.schemeCode = schemeCode;
  }

  /**
   * How such samples are decrypted.
   *
   * @return absent if there is no key and they are to pass as they are
   * @throws MediaFormatException if there is no key, or the scheme is not known
   */
  Optional<Setting> of(SampleProtection protection) throws MediaFormatException {
    Optional<Setting> known = settings.get(protection);
    if (known == null) {
      known = make(protection);
      settings.put(protection, known);
    }
    return known;
  }

  /** Whether the scheme is known; if not, samples pass as they are or are refused. */
  boolean isKnown() throws MediaFormatException {
    if (scheme().isEmpty() && !options.passesWithoutKey()) {
      throw MediaFormatException.unsupported(
          "Protection scheme '" + FourCc.text(schemeCode) + "' is not supported.");
    }
    return scheme().isPresent();
  }

  private Optional<ProtectionScheme> scheme() {
    return schemeCode == PIFF || schemeCode == 0
        ? Optional.of(ProtectionScheme.CENC)
        : ProtectionScheme.of(schemeCode);
  }

  private Optional<Setting> make(SampleProtection protection) throws MediaFormatException {
    KeyId kid = KeyId.of(protection.kid());
    Optional<ContentKey> key = options.keys().key(kid);
    if (key.isEmpty() && options.passesWithoutKey()) {
      return Optional.empty();
    }
    ContentKey found =
        key.orElseThrow(
            () ->
                MediaFormatException.keyMissing(
                    "No key was given for key id " + kid + " (expected: in key_id and key)."));
    return Optional.of(setting(scheme().orElseThrow(), found, protection));
  }

  private Setting setting(ProtectionScheme scheme, ContentKey key, SampleProtection protection)
      throws MediaFormatException {
    boolean isPattern = scheme.hasPattern() && protection.skipBlocks() > 0;
    if (isPattern && protection.cryptBlocks() == 0) {
      throw MediaFormatException.malformed(
          "Pattern 0:" + protection.skipBlocks() + " encrypts nothing of protected samples.");
    }
    return new Setting(
        scheme,
        key,
        isPattern ? protection.cryptBlocks() : 0,
        isPattern ? protection.skipBlocks() : 0,
        options.leavesPartialRuns());
  }
}
