package dev.millrace.upstream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Connects to origins, and tells a connection that was reset from one that was ended. Jetty reports
 * both as end of input, which makes a body without a length look whole when it was cut.
 */
final class JettyHonestConnector extends ClientConnector {
  @Override
  protected EndPoint newEndPoint(
      SelectableChannel channel, ManagedSelector selector, SelectionKey selectionKey) {
    return new HonestEndPoint((SocketChannel) channel, selector, selectionKey, getScheduler());
  }

  private static final class HonestEndPoint extends SocketChannelEndPoint {
    HonestEndPoint(
        SocketChannel channel, ManagedSelector selector, SelectionKey key, Scheduler scheduler) {
      super(channel, selector, key, scheduler);
    }

    @Override
    public int fill(ByteBuffer buffer) throws IOException {
      if (isInputShutdown()) {
        return -1;
      }
      int position = BufferUtil.flipToFill(buffer);
      try {
        int filled = getChannel().read(buffer);
        if (filled > 0) {
          notIdle();
        } else if (filled == -1) {
          shutdownInput();
        }
        return filled;
      } catch (IOException e) {
        shutdownInput();
        throw e;
      } finally {
        BufferUtil.flipToFlush(buffer, position);
      }
    }
  }
}
