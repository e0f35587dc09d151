/**
 * The container layer, thin: takes requests from any Servlet 6.1 container, asks {@code proxy} what
 * they mean, {@code upstream} for the body, and moves it to the client under back-pressure. A body
 * that cannot be completed is aborted here, never ended as if it were whole.
 */
@NullMarked
package dev.millrace.servlet;

import org.jspecify.annotations.NullMarked;
