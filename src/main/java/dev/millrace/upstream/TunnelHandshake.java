package dev.millrace.upstream;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What is said to a proxy until it passes bytes on to a target, without any I/O: the caller sends
 * {@link #toSend} until it is empty, then reads at most {@link #wanted} bytes and hands them to
 * {@link #received}, and so on until {@link #isEstablished}. No byte of the target is taken.
 * Confined to one caller at a time.
 */
interface TunnelHandshake {
  /**
   * The handshake of this proxy's protocol.
   *
   * @param host of the target, IPv6 without brackets
   * @param address of the target if it is not left to the proxy to look it up
   */
  static TunnelHandshake of(
      ForwardProxy proxy, String host, int port, Optional<InetAddress> address) {
    return switch (proxy.protocol()) {
      case HTTP, HTTPS -> new ConnectHandshake(host, port, proxy.basicAuthorization());
      case SOCKS4, SOCKS4A -> new Socks4Handshake(host, port, address, proxy.credentials());
      case SOCKS5, SOCKS5H -> new Socks5Handshake(host, port, address, proxy.credentials());
    };
  }

  /** The next bytes for the proxy, each once; the caller's. Empty: nothing to send now. */
  ByteBuffer toSend();

  /** How many bytes may be read from the proxy now; positive until established. */
  int wanted();

  /**
   * Takes bytes from the proxy, at most {@link #wanted}; does not keep the buffer.
   *
   * @throws UpstreamException if the proxy refuses, or says what is not of its protocol
   */
  void received(ByteBuffer bytes) throws UpstreamException;

  boolean isEstablished();
}
