/**
 * Boxes of the ISO base media file format (ISO/IEC 14496-12), those that are read or changed.
 * Called by {@code cenc}, {@code ts}, {@code webvtt}, {@code dash}'s callers and {@code proxy};
 * knows no keys, no container, no clock.
 */
@NullMarked
package dev.millrace.mp4;

import org.jspecify.annotations.NullMarked;
