/**
 * MPEG transport streams (ISO/IEC 13818-1) made of fragments of ISO base media: tables, packets,
 * and how each codec's samples look in them.
 */
@NullMarked
package dev.millrace.ts;

import org.jspecify.annotations.NullMarked;
