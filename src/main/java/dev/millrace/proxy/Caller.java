package dev.millrace.proxy;

import java.util.regex.Pattern;

/**
 * Where a request comes from.
 *
 * @param address of the client as far as it is believed, an IP literal in the spelling of {@link
 *     dev.millrace.upstream.IpAddress}; of the connection's other end if nothing else is
 * @param isForwarded whether the request says, truly or not, that it was passed on for somebody
 *     else
 */
public record Caller(String address, boolean isForwarded) {
  /**
   * 127.0.0.0/8 (RFC 1122 §3.2.1.3), ::1 and the former mapped into IPv6 (RFC 4291 §2.5.3,
   * §2.5.5.2). Whatever is written in another way counts as somewhere else.
   */
  private static final Pattern LOOPBACK =
      Pattern.compile(
          "127(\\.\\d{1,3}){3}" + "|\\[?((0*:){2,7}0*1|(0*:){2,6}ffff:127(\\.\\d{1,3}){3})\\]?",
          Pattern.CASE_INSENSITIVE);

  /** Behind a front end every connection is from this machine, whoever uses it. */
  boolean isOnThisMachine() {
    return !isForwarded && LOOPBACK.matcher(address).matches();
  }

  /**
   * The same caller, unless it asked for a host that is not this machine by its loopback address or
   * as {@code localhost}: then a name on the network led here, perhaps one that a web page chose.
   *
   * @param host that the request names, without port
   */
  public Caller askingFor(String host) {
    boolean isLocal = host.equalsIgnoreCase("localhost") || LOOPBACK.matcher(host).matches();
    return isLocal ? this : new Caller(address, true);
  }
}
