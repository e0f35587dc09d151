package dev.millrace.upstream;

import dev.millrace.stream.MemoryBudget;
import java.util.concurrent.Executor;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * What the client shares with the rest of the process; started and stopped by its owner.
 *
 * @param executor runs what must not run on a selector's thread
 * @param resolvers runs look-ups of names, which block; bounded, so that slow names cost no stream
 *     its turn
 * @param scheduler for connect and idle time-outs
 * @param buffers for what is read and written
 * @param memory what running exchanges have reserved; decides how large reads are
 */
public record JettyResources(
    Executor executor,
    Executor resolvers,
    Scheduler scheduler,
    ByteBufferPool buffers,
    MemoryBudget memory) {}
