package dev.millrace.upstream;

/** Something that is on its way from an origin. */
@FunctionalInterface
public interface Fetching {
  /** Where it comes from: an origin, or what was fetched from one before. */
  @FunctionalInterface
  interface Source {
    /**
     * Starts to fetch. The listener hears exactly one of its two calls, perhaps before this
     * returns. Never blocks.
     */
    Fetching fetch(FetchRequest request, Fetch.Listener listener);
  }

  /** It is not wanted any more. Any thread; idempotent. */
  void cancel();
}
