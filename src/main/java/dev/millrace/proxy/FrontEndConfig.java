package dev.millrace.proxy;

import java.util.List;
import java.util.Optional;

/**
 * The servers in front of this one, and the address that they give it.
 *
 * @param trusted addresses and CIDR blocks of peers whose forwarding fields are believed; an
 *     asterisk: everybody's
 * @param publicUrl the address of this server for clients, whatever requests say
 * @param rootPath path in front of all routes; empty, or begins with a slash and does not end in
 *     one
 */
public record FrontEndConfig(List<String> trusted, Optional<String> publicUrl, String rootPath) {
  public FrontEndConfig {
    trusted = List.copyOf(trusted);
  }

  public static FrontEndConfig defaults() {
    return new FrontEndConfig(List.of("127.0.0.1", "::1"), Optional.empty(), "");
  }

  /**
   * The same entries.
   *
   * @throws IllegalArgumentException naming the one that is neither address nor block nor asterisk
   */
  public static List<String> checkedTrusted(List<String> trusted) {
    var unused = TrustedPeers.of(trusted);
    return trusted;
  }

  /**
   * The address without a slash at its end.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  public static String checkedPublicUrl(String publicUrl) {
    return PublicAddress.parse(publicUrl).url("");
  }

  /**
   * The path without a slash at its end.
   *
   * @throws IllegalArgumentException if it is none that could stand in front of routes
   */
  public static String checkedRootPath(String rootPath) {
    return PathPrefix.parse(rootPath)
        .orElseThrow(() -> new IllegalArgumentException("expected: " + PathPrefix.EXPECTED));
  }
}
