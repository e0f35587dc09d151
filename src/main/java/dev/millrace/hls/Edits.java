package dev.millrace.hls;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Several rows of edits as one. */
final class Edits {
  private Edits() {}

  /**
   * All edits by rising place; at one place insertions come before what is left out, and otherwise
   * the first row before the second. They are read as they are asked for, one ahead of each.
   *
   * @param first in rising order, without overlap, also with the second
   */
  static Iterable<Edit> merged(Iterable<Edit> first, Iterable<Edit> second) {
    return () -> new Merged(first.iterator(), second.iterator());
  }

  private static final class Merged implements Iterator<Edit> {
    private final Iterator<Edit> first;
    private final Iterator<Edit> second;
    private @Nullable Edit nextFirst;
    private @Nullable Edit nextSecond;

    private Merged(Iterator<Edit> first, Iterator<Edit> second) {
      this.first = first;
      this.second = second;
    }

    @Override
    public boolean hasNext() {
      if (nextFirst == null && first.hasNext()) {
        nextFirst = first.next();
      }
      if (nextSecond == null && second.hasNext()) {
        nextSecond = second.next();
      }
      return nextFirst != null || nextSecond != null;
    }

    @Override
    public Edit next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      Edit ofFirst = nextFirst;
      Edit ofSecond = nextSecond;
      if (ofFirst != null && (ofSecond == null || isBefore(ofFirst, ofSecond))) {
        nextFirst = null;
        return ofFirst;
      }
      nextSecond = null;
      return Objects.requireNonNull(ofSecond);
    }

    private static boolean isBefore(Edit one, Edit other) {
      return one.from() < other.from()
          || (one.from() == other.from() && (one.isInsertion() || !other.isInsertion()));
    }
  }
}
