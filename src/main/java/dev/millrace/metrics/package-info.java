/**
 * What an operator counts and times, behind a small interface ({@link
 * dev.millrace.metrics.Metrics}), so that the components know no library of metrics. There is one
 * implementation, on Dropwizard's registry, shown through JMX and as Prometheus text 0.0.4. Names
 * are {@code snake_case} nouns without prefix; label values come from small fixed sets, never from
 * URLs, clients or channels.
 */
@NullMarked
package dev.millrace.metrics;

import org.jspecify.annotations.NullMarked;
