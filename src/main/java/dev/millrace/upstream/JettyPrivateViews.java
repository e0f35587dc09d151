package dev.millrace.upstream;

import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.RetainableByteBuffer;

/**
 * Buffers whose position and limit belong to one acquirer.
 *
 * <p>When an origin resets a connection while its response is being parsed, Jetty's receiver
 * (12.1.10) clears a buffer that it has already given back: the next owner, another response, would
 * lose what it had just read. Behind a view of its own each owner clears only its view.
 */
final class JettyPrivateViews extends ByteBufferPool.Wrapper {
  JettyPrivateViews(ByteBufferPool pool) {
    super(pool);
  }

  @Override
  public RetainableByteBuffer.Mutable acquire(int size, boolean direct) {
    RetainableByteBuffer.Mutable pooled = super.acquire(size, direct);
    return RetainableByteBuffer.wrap(pooled.getByteBuffer().duplicate(), pooled).asMutable();
  }
}
