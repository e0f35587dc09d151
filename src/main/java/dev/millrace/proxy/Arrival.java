package dev.millrace.proxy;

/**
 * Where a request came from, and by which address.
 *
 * @param caller who asks
 * @param publicAddress under which the caller knows this server
 * @param prefix path that a front end says it has put before ours; empty, or begins with a slash
 *     and does not end in one
 */
public record Arrival(Caller caller, PublicAddress publicAddress, String prefix) {
  /** Of a request that has no such path. */
  public Arrival(Caller caller, PublicAddress publicAddress) {
    this(caller, publicAddress, "");
  }
}
