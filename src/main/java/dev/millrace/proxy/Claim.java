package dev.millrace.proxy;

import java.util.Optional;

/**
 * What a request shows to be let in.
 *
 * @param path of the route, as it was sent, perhaps with a token before it
 * @param query that stands in its address
 * @param passwordField the request header {@code api_password}
 * @param host that the request names, without port
 */
public record Claim(
    String path,
    QueryParameters query,
    Optional<String> passwordField,
    Caller caller,
    String host) {
  /** The name of the parameter, and of the header. */
  public static final String PASSWORD = "api_password";

  /** Without secrets. */
  @Override
  public String toString() {
    return "Claim[" + query + ", " + caller + "]";
  }
}
