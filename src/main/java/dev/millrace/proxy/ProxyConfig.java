package dev.millrace.proxy;

import java.util.Optional;

/**
 * Who may use the proxy, and what origins see of it.
 *
 * @param apiPassword the password of every route that needs one; absent: the server is open
 * @param loopbackOnly whether an open server serves callers on its own machine only
 * @param userAgent sent to origins when the request names none
 * @param allowHostHeader whether {@code h_host} may name another virtual host than the target's
 */
public record ProxyConfig(
    Optional<String> apiPassword, boolean loopbackOnly, String userAgent, boolean allowHostHeader) {
  /** A desktop browser: many origins refuse anything else. */
  public static final String DEFAULT_USER_AGENT =
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)"
          + " Chrome/136.0.0.0 Safari/537.36";

  public static ProxyConfig defaults() {
    return new ProxyConfig(Optional.empty(), false, DEFAULT_USER_AGENT, false);
  }

  /** Never shows the password. */
  @Override
  public String toString() {
    return "ProxyConfig[apiPassword="
        + (apiPassword.isPresent() ? "***" : "none")
        + ", loopbackOnly="
        + loopbackOnly
        + ", userAgent="
        + userAgent
        + ", allowHostHeader="
        + allowHostHeader
        + "]";
  }
}
