package dev.millrace.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * An HTTP/2 client that opens the widest windows, asks, and never reads: its connection fills up,
 * and not even a RST_STREAM gets through. Frames are written by hand, RFC 9113 §4.1, RFC 7541 §6.
 */
public final class FrozenHttp2 implements AutoCloseable {
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int WINDOW_UPDATE = 8;
  private static final int END_STREAM_AND_HEADERS = 5;
  private static final short INITIAL_WINDOW_SIZE = 4;

  private final SSLSocket socket;
  private int nextStream = 1;

  private FrozenHttp2(SSLSocket socket) {
    this.socket = socket;
  }

  public static FrozenHttp2 connect(int port, int receiveBufferBytes) throws IOException {
    Socket plain = new Socket();
    plain.setReceiveBufferSize(receiveBufferBytes);
    plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 10_000);
    SSLSocket tls =
        (SSLSocket)
            TrustAll.context().getSocketFactory().createSocket(plain, "localhost", port, true);
    SSLParameters parameters = tls.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    tls.setSSLParameters(parameters);
    tls.startHandshake();
    FrozenHttp2 client = new FrozenHttp2(tls);
    client.openWindows();
    return client;
  }

  private void openWindows() throws IOException {
    socket.getOutputStream().write(Wire.ascii(PREFACE));
    ByteBuffer settings = ByteBuffer.allocate(6);
    settings.putShort(INITIAL_WINDOW_SIZE).putInt(Integer.MAX_VALUE);
    frame(SETTINGS, 0, 0, settings.array());
    ByteBuffer room = ByteBuffer.allocate(4).putInt(Integer.MAX_VALUE - 65_535);
    frame(WINDOW_UPDATE, 0, 0, room.array());
  }

  /** GET of a target of at most 126 characters. */
  public void ask(String target) throws IOException {
    ByteArrayOutputStream fields = new ByteArrayOutputStream();
    fields.write(0x82); // :method GET
    fields.write(0x87); // :scheme https
    literal(fields, 1, "localhost"); // :authority
    literal(fields, 4, target); // :path
    frame(HEADERS, END_STREAM_AND_HEADERS, nextStream, fields.toByteArray());
    nextStream += 2;
  }

  private static void literal(ByteArrayOutputStream fields, int name, String value) {
    fields.write(name);
    fields.write(value.length());
    fields.writeBytes(Wire.ascii(value));
  }

  private void frame(int type, int flags, int stream, byte[] payload) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.put((byte) 0).putShort((short) payload.length).put((byte) type).put((byte) flags);
    frame.putInt(stream).put(payload);
    socket.getOutputStream().write(frame.array());
  }

  @Override
  public void close() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }
}
