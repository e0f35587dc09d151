package dev.millrace.cenc;

import java.util.Map;
import java.util.Optional;

/**
 * The keys of one request. Which one is a track's (contract §1.3): the only one, if the track names
 * none; the one of that id; that of the id in PlayReady's order; the only one there is, whatever
 * its id.
 */
public final class KeyRing {
  /** No key. */
  public static final KeyRing EMPTY = new KeyRing(Map.of());

  private final Map<KeyId, ContentKey> keys;

  private KeyRing(Map<KeyId, ContentKey> keys) {
    this.keys = Map.copyOf(keys);
  }

  public static KeyRing of(Map<KeyId, ContentKey> keys) {
    return new KeyRing(keys);
  }

  public boolean isEmpty() {
    return keys.isEmpty();
  }

  /** Absent if none of them can be meant. */
  public Optional<ContentKey> key(KeyId id) {
    ContentKey exact = keys.get(id);
    if (exact != null) {
      return Optional.of(exact);
    }
    ContentKey swapped = keys.get(id.swapped());
    if (swapped != null) {
      return Optional.of(swapped);
    }
    return keys.values().stream().distinct().count() == 1
        ? keys.values().stream().findFirst()
        : Optional.empty();
  }

  /** Whether one of them has this id, in either order of bytes. */
  public boolean has(KeyId id) {
    return keys.containsKey(id) || keys.containsKey(id.swapped());
  }

  @Override
  public String toString() {
    return "keys of " + keys.keySet();
  }
}
