package dev.millrace.config;

/**
 * Where the standalone server listens.
 *
 * @param host address or name to bind; loopback unless a password is set
 * @param port TCP port; 0: any free one
 * @param acceptQueue connections that may wait to be accepted
 */
public record ServerConfig(String host, int port, int acceptQueue) {
  public static final String LOOPBACK = "127.0.0.1";

  public static ServerConfig defaults() {
    return new ServerConfig(LOOPBACK, 8888, 1024);
  }
}
