/**
 * What an operator counts and times, behind a small interface, so that the components know no
 * library of metrics. Names are {@code snake_case} nouns without prefix or unit of time; label
 * values come from small fixed sets, never from URLs, clients or channels.
 */
@NullMarked
package dev.millrace.metrics;

import org.jspecify.annotations.NullMarked;
