package dev.millrace.upstream;

import java.util.List;
import java.util.Optional;

/**
 * How this server learns the address under which origins see it.
 *
 * @param address that it has, an IP literal; absent: it is asked for
 * @param services addresses of services that tell, asked in this order
 */
public record PublicIpConfig(Optional<String> address, List<String> services) {
  public static final int MAX_SERVICES = 8;

  public PublicIpConfig {
    services = List.copyOf(services);
  }

  public static PublicIpConfig defaults() {
    return new PublicIpConfig(
        Optional.empty(),
        List.of(
            "https://api.ipify.org?format=json",
            "https://ipinfo.io/json",
            "https://httpbin.org/ip"));
  }

  /**
   * The same services.
   *
   * @throws IllegalArgumentException if they are none or too many, or one is no address
   */
  public static List<String> checkedServices(List<String> services) {
    if (services.isEmpty() || services.size() > MAX_SERVICES) {
      throw new IllegalArgumentException("expected 1 to " + MAX_SERVICES);
    }
    for (String service : services) {
      try {
        Target.parse(service);
      } catch (BadTargetException e) {
        throw new IllegalArgumentException(e);
      }
    }
    return services;
  }

  /**
   * The same address.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static String checkedAddress(String address) {
    try {
      AddressBlock.parse(address);
    } catch (BadTargetException e) {
      throw new IllegalArgumentException(e);
    }
    if (address.indexOf('/') >= 0) {
      throw new IllegalArgumentException("a block");
    }
    return address;
  }
}
