package dev.millrace.upstream;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.upstream.ForwardProxy.Credentials;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Optional;

/** SOCKS 5 (RFC 1928) with user and password (RFC 1929) or without. */
final class Socks5Handshake implements TunnelHandshake {
  private static final byte VERSION = 5;
  private static final byte LOGIN_VERSION = 1;
  private static final byte CONNECT = 1;
  private static final byte RESERVED = 0;
  private static final byte NO_LOGIN = 0;
  private static final byte USER_AND_PASSWORD = 2;
  private static final byte IPV4 = 1;
  private static final byte NAME = 3;
  private static final byte IPV6 = 4;

  /** Version and one byte more: the method that is chosen, or the verdict on the login. */
  private static final int SHORT_REPLY_BYTES = 2;

  /** Of the last reply, up to the first byte of its address, which tells how long it is. */
  private static final int REPLY_HEAD_BYTES = 5;

  /** With the longest name. */
  private static final int MAX_REPLY_BYTES = 4 + 1 + 255 + 2;

  private enum State {
    METHOD,
    LOGIN,
    REPLY_HEAD,
    REPLY_REST,
    ESTABLISHED
  }

  private final Optional<Credentials> credentials;
  private final ByteBuffer request;
  private final ByteBuffer reply = ByteBuffer.allocate(MAX_REPLY_BYTES);
  private ByteBuffer next;
  private State state = State.METHOD;

  Socks5Handshake(
      String host, int port, Optional<InetAddress> address, Optional<Credentials> credentials) {
    this.credentials = credentials;
    this.request = request(host, port, address);
    byte[] greeting =
        credentials.isPresent()
            ? new byte[] {VERSION, 2, NO_LOGIN, USER_AND_PASSWORD}
            : new byte[] {VERSION, 1, NO_LOGIN};
    next = ByteBuffer.wrap(greeting);
    reply.limit(SHORT_REPLY_BYTES);
  }

  private static ByteBuffer request(String host, int port, Optional<InetAddress> address) {
    byte[] place = address.map(InetAddress::getAddress).orElseGet(() -> host.getBytes(UTF_8));
    ByteBuffer request = ByteBuffer.allocate(4 + 1 + place.length + 2);
    request.put(VERSION).put(CONNECT).put(RESERVED);
    if (address.isPresent()) {
      request.put(place.length == 4 ? IPV4 : IPV6);
    } else {
      request.put(NAME).put((byte) place.length);
    }
    return request.put(place).putShort((short) port).flip();
  }

  @Override
  public ByteBuffer toSend() {
    ByteBuffer now = next;
    next = ByteBuffer.allocate(0);
    return now;
  }

  @Override
  public int wanted() {
    return reply.remaining();
  }

  @Override
  public void received(ByteBuffer bytes) throws UpstreamException {
    reply.put(bytes);
    if (!reply.hasRemaining()) {
      state =
          switch (state) {
            case METHOD -> afterMethod(reply.get(0), reply.get(1));
            case LOGIN -> afterLogin(reply.get(1));
            case REPLY_HEAD -> afterReplyHead();
            case REPLY_REST -> State.ESTABLISHED;
            case ESTABLISHED -> throw new IllegalStateException("established");
          };
    }
  }

  private State afterMethod(byte version, byte method) throws UpstreamException {
    if (version != VERSION) {
      throw UpstreamException.refusedByProxy("it does not speak SOCKS 5");
    }
    if (method == NO_LOGIN) {
      return request();
    }
    if (method != USER_AND_PASSWORD || credentials.isEmpty()) {
      throw UpstreamException.refusedByProxy("it asks for a login that is not configured");
    }
    next = login(credentials.get());
    expect(SHORT_REPLY_BYTES);
    return State.LOGIN;
  }

  private static ByteBuffer login(Credentials credentials) {
    byte[] user = credentials.user().getBytes(UTF_8);
    byte[] password = credentials.password().getBytes(UTF_8);
    ByteBuffer login = ByteBuffer.allocate(1 + 1 + user.length + 1 + password.length);
    login.put(LOGIN_VERSION).put((byte) user.length).put(user);
    return login.put((byte) password.length).put(password).flip();
  }

  private State afterLogin(byte verdict) throws UpstreamException {
    if (verdict != 0) {
      throw UpstreamException.refusedByProxy("it does not accept user and password");
    }
    return request();
  }

  private State request() {
    next = request;
    expect(REPLY_HEAD_BYTES);
    return State.REPLY_HEAD;
  }

  private State afterReplyHead() throws UpstreamException {
    if (reply.get(0) != VERSION) {
      throw UpstreamException.refusedByProxy("it does not speak SOCKS 5");
    }
    if (reply.get(1) != 0) {
      throw UpstreamException.refusedByProxy(meaning(reply.get(1) & 0xFF));
    }
    int addressBytes =
        switch (reply.get(3)) {
          case IPV4 -> 4;
          case IPV6 -> 16;
          case NAME -> 1 + (reply.get(4) & 0xFF);
          default -> throw UpstreamException.refusedByProxy("it does not speak SOCKS 5");
        };
    reply.limit(4 + addressBytes + 2);
    return State.REPLY_REST;
  }

  /** RFC 1928 §6. */
  private static String meaning(int code) {
    return switch (code) {
      case 2 -> "not allowed by its rules";
      case 3 -> "network unreachable from there";
      case 4 -> "host unreachable from there, or name unknown at proxy";
      case 5 -> "connection refused by the origin";
      case 6 -> "no answer from the origin in time";
      case 8 -> "kind of address not supported";
      default -> "SOCKS 5 reply " + code + ", which may be a name unknown at proxy";
    };
  }

  private void expect(int bytes) {
    reply.clear().limit(bytes);
  }

  @Override
  public boolean isEstablished() {
    return state == State.ESTABLISHED;
  }
}
