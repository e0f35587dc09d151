/**
 * A request becomes parameters becomes a plan: which routes there are, what their parameters mean,
 * which header fields cross in which direction (RFC 9110 §7.6.1), and how an origin's answer is
 * reported to the client. Pure decisions: no container, no HTTP client, no clock. Called by {@code
 * servlet}.
 */
@NullMarked
package dev.millrace.proxy;

import org.jspecify.annotations.NullMarked;
