/**
 * Fetching from origins: one request becomes one continuous body, whatever the origin does
 * (redirects, stale connections, short retries, capped ranges). Holds what bounds and guards that:
 * the gate per origin, the policy on targets, every time-out. Bodies are Jetty's {@code
 * Content.Source}; the Jetty client itself is known to the {@code Jetty…} classes only. Called by
 * {@code proxy} and {@code servlet}; knows nothing of the client's request.
 */
@NullMarked
package dev.millrace.upstream;

import org.jspecify.annotations.NullMarked;
