/**
 * Origins, clients and tools for tests that go over real sockets. Nothing here uses the product's
 * HTTP client or server, so every byte and every close on either side of the proxy is ours to
 * choose. Called by the integration tests of all packages; knows only how to start the server.
 */
@NullMarked
package dev.millrace.testing;

import org.jspecify.annotations.NullMarked;
