package dev.millrace.servlet;

/** What a container does with the bytes that are written to it. */
public enum Writes {
  /** They are on their way when the write is done, as in Jetty. */
  PASSED_ON,
  /** They may be kept until a buffer is full or flushed, as the servlet API allows. */
  GATHERED
}
