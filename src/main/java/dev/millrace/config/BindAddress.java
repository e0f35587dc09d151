package dev.millrace.config;

/** What {@code GUNICORN_BIND} says: host without brackets, and port. */
record BindAddress(String host, int port) {
  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
