/**
 * The composition root: the only place that creates components, in the order in which data flows,
 * and the command line of the standalone server. Imports everything; imported by nobody.
 */
@NullMarked
package dev.millrace.app;

import org.jspecify.annotations.NullMarked;
