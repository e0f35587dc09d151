package dev.millrace.servlet;

import java.util.List;

/**
 * What may be forwarded.
 *
 * @param allowedHosts the only hosts; {@code *.domain} means the domain and all below; empty: any
 * @param deniedHosts hosts that are refused even so
 * @param maxRequestBodyBytes larger requests get 413
 * @param maxResponseBodyBytes larger answers get 502, or are broken off
 */
public record ForwardConfig(
    List<String> allowedHosts,
    List<String> deniedHosts,
    long maxRequestBodyBytes,
    long maxResponseBodyBytes) {
  public ForwardConfig {
    allowedHosts = List.copyOf(allowedHosts);
    deniedHosts = List.copyOf(deniedHosts);
  }

  /**
   * Gives back the entries if each can be read.
   *
   * @throws IllegalArgumentException naming the first that cannot
   */
  public static List<String> checkedHosts(List<String> entries) {
    ForwardHosts.checked(entries);
    return entries;
  }

  public static ForwardConfig defaults() {
    return new ForwardConfig(List.of(), List.of(), 50L << 20, 10L << 20);
  }
}
