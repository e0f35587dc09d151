package dev.millrace.cache;

import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.Target;
import dev.millrace.upstream.UpstreamRequest;
import dev.millrace.upstream.UpstreamRequest.Manner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The segments of one playlist, in order, as small as they can be had: what is the same for all of
 * them is kept once.
 */
final class SegmentList {
  /** What segments have in common. */
  private record Site(
      String scheme, String host, int port, Optional<String> userInfo, Headers headers) {}

  private static final int BYTES_PER_SEGMENT = 72;

  private final List<Site> sites = new ArrayList<>();
  private final byte[] siteNumbers;
  private final String[] requestTargets;
  private final int[] hashes;
  private final int sizeBytes;
  private final long firstNumber;

  private SegmentList(List<CacheKey> keys, long firstNumber) {
    this.firstNumber = firstNumber;
    siteNumbers = new byte[keys.size()];
    requestTargets = new String[keys.size()];
    hashes = new int[keys.size()];
    int bytes = 0;
    for (int i = 0; i < keys.size(); i++) {
      CacheKey key = keys.get(i);
      int known = sites.size();
      siteNumbers[i] = (byte) siteNumber(key);
      bytes += sites.size() > known ? key.characters() : 0;
      requestTargets[i] = key.target().requestTarget();
      hashes[i] = requestTargets[i].hashCode();
      bytes += BYTES_PER_SEGMENT + requestTargets[i].length();
    }
    sizeBytes = bytes;
  }

  /**
   * Absent if there is nothing to fetch ahead: an address that comes twice in a row is a body in
   * pieces; more than 127 different sets of fields are no playlist of one stream.
   */
  static Optional<SegmentList> of(List<FetchRequest> requests, long firstNumber) {
    List<CacheKey> keys = new ArrayList<>(requests.size());
    for (FetchRequest request : requests) {
      Optional<CacheKey> key = CacheKey.of(request).filter(SegmentList::isWhole);
      boolean isAgain =
          key.isPresent() && !keys.isEmpty() && keys.get(keys.size() - 1).equals(key.get());
      if (key.isEmpty() || isAgain) {
        return Optional.empty();
      }
      keys.add(key.get());
    }
    long sites =
        keys.stream()
            .map(key -> List.of(key.target().origin(), key.headers()))
            .distinct()
            .limit(Byte.MAX_VALUE + 1)
            .count();
    return keys.isEmpty() || sites > Byte.MAX_VALUE
        ? Optional.empty()
        : Optional.of(new SegmentList(keys, firstNumber));
  }

  /** Whether it is a whole segment rather than a range or a document. */
  static boolean isWhole(CacheKey key) {
    return !key.isDocument() && !key.headers().has("Range");
  }

  private int siteNumber(CacheKey key) {
    Target target = key.target();
    Site site =
        new Site(target.scheme(), target.host(), target.port(), target.userInfo(), key.headers());
    int number = sites.indexOf(site);
    if (number < 0) {
      number = sites.size();
      sites.add(site);
    }
    return number;
  }

  /**
   * Whether this is an older reading of the same playlist: it ends earlier, and what both have is
   * the same. Readings are not told in the order in which they were made.
   */
  boolean isBefore(SegmentList other) {
    long end = firstNumber + size();
    if (end >= other.firstNumber + other.size() || end <= other.firstNumber) {
      return false;
    }
    for (long number = Math.max(firstNumber, other.firstNumber); number < end; number++) {
      if (!isAt((int) (number - firstNumber), other, (int) (number - other.firstNumber))) {
        return false;
      }
    }
    return true;
  }

  /**
   * The addresses of this list that {@code older} does not have under the same number: what was
   * fetched from there before is not what they lead to now.
   */
  List<CacheKey> newSince(SegmentList older) {
    List<CacheKey> fresh = new ArrayList<>();
    for (int i = 0; i < size(); i++) {
      long place = firstNumber + i - older.firstNumber;
      if (place < 0 || place >= older.size() || !older.isAt((int) place, this, i)) {
        fresh.add(key(i));
      }
    }
    return fresh;
  }

  private boolean isAt(int index, SegmentList other, int otherIndex) {
    return hashes[index] == other.hashes[otherIndex] && key(index).equals(other.key(otherIndex));
  }

  int size() {
    return hashes.length;
  }

  /** About what it takes on the heap. */
  int sizeBytes() {
    return sizeBytes;
  }

  /** The place of a segment; -1 if it is not here. */
  int indexOf(CacheKey key) {
    int hash = key.target().requestTarget().hashCode();
    for (int i = 0; i < hashes.length; i++) {
      if (hashes[i] == hash && key(i).equals(key)) {
        return i;
      }
    }
    return -1;
  }

  CacheKey key(int index) {
    Site site = sites.get(siteNumbers[index]);
    Target target =
        new Target(site.scheme, site.host, site.port, requestTargets[index], site.userInfo);
    return new CacheKey(Manner.MEDIA, target, site.headers);
  }

  static FetchRequest request(CacheKey key) {
    return FetchRequest.of(new UpstreamRequest("GET", key.target(), key.headers()));
  }
}
