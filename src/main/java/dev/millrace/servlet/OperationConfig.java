package dev.millrace.servlet;

/**
 * What whoever runs the server sees of it and shows of it.
 *
 * @param metrics whether anything is counted and shown
 * @param accessLog whether every request leaves a line
 * @param homePage whether there is a home page
 * @param docs whether there is a description of the interface
 * @param speedTest whether there are speed tests
 */
public record OperationConfig(
    boolean metrics, boolean accessLog, boolean homePage, boolean docs, boolean speedTest) {
  public static OperationConfig defaults() {
    return new OperationConfig(true, true, true, true, true);
  }
}
