package dev.millrace.proxy;

/**
 * Where a request came from, and by which address.
 *
 * @param caller who asks
 * @param publicAddress under which the caller knows this server
 */
public record Arrival(Caller caller, PublicAddress publicAddress) {}
