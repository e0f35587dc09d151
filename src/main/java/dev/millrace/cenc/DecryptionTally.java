package dev.millrace.cenc;

/**
 * What a decryptor has met so far; for the log.
 *
 * @param boxes of the top level
 * @param fragments whose samples are known
 * @param samples of all fragments
 * @param ranges that were encrypted
 * @param anomalies what was not as it should be, and did no harm
 */
public record DecryptionTally(
    long boxes, long fragments, long samples, long ranges, long anomalies) {
  static final DecryptionTally NONE = new DecryptionTally(0, 0, 0, 0, 0);

  DecryptionTally withBox() {
    return new DecryptionTally(boxes + 1, fragments, samples, ranges, anomalies);
  }

  DecryptionTally withAnomalies(long more) {
    return new DecryptionTally(boxes, fragments, samples, ranges, anomalies + more);
  }

  DecryptionTally withSamples(long more) {
    return new DecryptionTally(boxes, fragments, samples + more, ranges, anomalies);
  }

  DecryptionTally withRanges(long all) {
    return new DecryptionTally(boxes, fragments, samples, all, anomalies);
  }

  DecryptionTally withFragment() {
    return new DecryptionTally(boxes, fragments + 1, samples, ranges, anomalies);
  }
}
