/**
 * MPEG-DASH presentations (ISO/IEC 23009-1), and how they read as HLS. Called by {@code proxy} and
 * {@code servlet}; knows no HTTP client and no clock: the time is given to it.
 */
@NullMarked
package dev.millrace.dash;

import org.jspecify.annotations.NullMarked;
