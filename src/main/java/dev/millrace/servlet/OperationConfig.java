package dev.millrace.servlet;

/**
 * What whoever runs the server sees of it and shows of it.
 *
 * @param accessLog whether every request leaves a line
 * @param homePage whether there is a home page
 */
public record OperationConfig(boolean accessLog, boolean homePage) {
  public static OperationConfig defaults() {
    return new OperationConfig(true, true);
  }
}
