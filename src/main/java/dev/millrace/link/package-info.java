/**
 * Links that carry a request: what they say, how they are sealed, and the addresses they make.
 * Knows nothing of HTTP, has no clock of its own.
 */
@NullMarked
package dev.millrace.link;

import org.jspecify.annotations.NullMarked;
