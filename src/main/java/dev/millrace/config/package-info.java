/**
 * Reading settings: defaults, a TOML file, the environment and {@code .env}, JVM properties, the
 * command line, in rising precedence, into the configuration records of the components. The only
 * package that looks at the process environment. All problems are reported at once.
 */
@NullMarked
package dev.millrace.config;

import org.jspecify.annotations.NullMarked;
