/**
 * Common encryption (ISO/IEC 23001-7): a protected stream becomes clear while it passes, byte for
 * byte as long. Called by {@code proxy} and {@code servlet}; keys are the user's and come as a
 * {@link dev.millrace.cenc.KeyRing}.
 */
@NullMarked
package dev.millrace.cenc;

import org.jspecify.annotations.NullMarked;
