/**
 * The kernel: moving bytes in bounded memory. Every body transform of the product has the one shape
 * defined here ({@link dev.millrace.stream.ByteTransform}), every limit on memory is counted here
 * ({@link dev.millrace.stream.MemoryBudget}), and every failure that a client may be told of is a
 * {@link dev.millrace.stream.ExchangeException}. Called by everybody; knows the JDK only.
 */
@NullMarked
package dev.millrace.stream;

import org.jspecify.annotations.NullMarked;
