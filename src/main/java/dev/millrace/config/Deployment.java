package dev.millrace.config;

/** What the settings are read for. */
enum Deployment {
  /** The program with its own server. */
  STANDALONE,
  /** A web application in somebody else's server. */
  WEBAPP
}
