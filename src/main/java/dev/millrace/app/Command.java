package dev.millrace.app;

/** What one run of the program does. */
enum Command {
  SERVE,
  DEMO,
  PRINT_CONFIG,
  HELP,
  VERSION
}
