package dev.millrace.link;

/** How links are sealed. */
public enum LinkFormat {
  /** Our own: authenticated, opened by this server alone. */
  V2,
  /** The one that older proxies and the clients of theirs make; not authenticated. */
  COMPATIBLE
}
