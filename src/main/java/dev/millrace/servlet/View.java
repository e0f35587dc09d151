package dev.millrace.servlet;

/** A route that answers with something small of our own, made at once. */
@FunctionalInterface
public interface View {
  /** What to answer now. Never blocks. */
  Page page();
}
