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
}
