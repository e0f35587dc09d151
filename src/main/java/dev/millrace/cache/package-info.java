/**
 * What is fetched once for many: bodies that several clients ask for at the same time, or shortly
 * after each other, and those that a client will ask for next. Bounded in bytes. Called by {@code
 * servlet}; knows no playlists and no clients.
 */
@NullMarked
package dev.millrace.cache;

import org.jspecify.annotations.NullMarked;
