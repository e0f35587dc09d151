package dev.millrace.app;

import dev.millrace.servlet.ClientWatch;
import dev.millrace.servlet.Writes;
import java.util.concurrent.Executor;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * What the components take from whatever they run in; started and stopped by its owner.
 *
 * @param executor runs what must not run on a selector's thread
 * @param scheduler for connect and idle time-outs of the HTTP client
 * @param buffers for what is read and written
 * @param clientWatch how it is learned that a client has left
 * @param writes what becomes of written bytes
 */
record Container(
    Executor executor,
    Scheduler scheduler,
    ByteBufferPool buffers,
    ClientWatch clientWatch,
    Writes writes) {}
