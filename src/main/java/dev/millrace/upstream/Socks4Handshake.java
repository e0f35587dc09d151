package dev.millrace.upstream;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.upstream.ForwardProxy.Credentials;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * SOCKS 4 and its extension 4A, which lets the proxy look names up: one request, one reply of eight
 * bytes. Of credentials there is the user only.
 */
final class Socks4Handshake implements TunnelHandshake {
  private static final byte VERSION = 4;
  private static final byte CONNECT = 1;
  private static final int GRANTED = 90;
  private static final int REPLY_BYTES = 8;

  /** An address that cannot be, which means that a name follows. */
  private static final byte[] NAME_FOLLOWS = {0, 0, 0, 1};

  private final ByteBuffer reply = ByteBuffer.allocate(REPLY_BYTES);
  private ByteBuffer request;

  /**
   * @param address IPv4 if present
   */
  Socks4Handshake(
      String host, int port, Optional<InetAddress> address, Optional<Credentials> credentials) {
    byte[] user = credentials.map(Credentials::user).orElse("").getBytes(UTF_8);
    byte[] name = address.isPresent() ? new byte[0] : host.getBytes(UTF_8);
    request = ByteBuffer.allocate(REPLY_BYTES + user.length + 1 + name.length + 1);
    request.put(VERSION).put(CONNECT).putShort((short) port);
    request.put(address.map(InetAddress::getAddress).orElse(NAME_FOLLOWS));
    request.put(user).put((byte) 0);
    if (name.length > 0) {
      request.put(name).put((byte) 0);
    }
    request.flip();
  }

  @Override
  public ByteBuffer toSend() {
    ByteBuffer next = request;
    request = ByteBuffer.allocate(0);
    return next;
  }

  @Override
  public int wanted() {
    return reply.remaining();
  }

  @Override
  public void received(ByteBuffer bytes) throws UpstreamException {
    reply.put(bytes);
    if (reply.position() > 0 && reply.get(0) != 0) {
      throw UpstreamException.refusedByProxy("it does not speak SOCKS 4");
    }
    int code = reply.get(1) & 0xFF;
    if (isEstablished() && code != GRANTED) {
      throw UpstreamException.refusedByProxy("SOCKS 4 reply " + code);
    }
  }

  @Override
  public boolean isEstablished() {
    return !reply.hasRemaining();
  }
}
