package dev.millrace.testing;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** SOCKS 4, 4A and 5 (RFC 1928, RFC 1929), told apart by their first byte; CONNECT only. */
final class SocksDialogue implements ProxyServer.Dialogue {
  private final Optional<String> login;

  /**
   * @param login {@code user:password} that is asked for in version 5
   */
  SocksDialogue(Optional<String> login) {
    this.login = login;
  }

  @Override
  public void run(ProxyServer proxy, Socket client) throws IOException {
    DataInputStream in = new DataInputStream(client.getInputStream());
    if (in.readByte() == 4) {
      socks4(proxy, client, in);
    } else {
      socks5(proxy, client, in);
    }
  }

  private static void socks4(ProxyServer proxy, Socket client, DataInputStream in)
      throws IOException {
    in.readByte();
    int port = in.readUnsignedShort();
    byte[] address = in.readNBytes(4);
    String user = zeroEnded(in);
    boolean isName = address[0] == 0 && address[1] == 0 && address[2] == 0;
    String host = isName ? zeroEnded(in) : InetAddress.getByAddress(address).getHostAddress();
    proxy.record(
        (isName ? "SOCKS4A " : "SOCKS4 ") + host + ":" + port + " login=" + user, List.of());
    Optional<Socket> origin = proxy.connect(host + ":" + port);
    byte verdict = (byte) (origin.isPresent() ? 90 : 91);
    client.getOutputStream().write(new byte[] {0, verdict, 0, 0, 0, 0, 0, 0});
    if (origin.isPresent()) {
      proxy.join(client, origin.get());
    }
  }

  private static String zeroEnded(InputStream in) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int b = in.read(); b > 0; b = in.read()) {
      text.append((char) b);
    }
    return text.toString();
  }

  private void socks5(ProxyServer proxy, Socket client, DataInputStream in) throws IOException {
    OutputStream out = client.getOutputStream();
    in.readNBytes(in.readUnsignedByte());
    String user = "";
    out.write(new byte[] {5, (byte) (login.isPresent() ? 2 : 0)});
    if (login.isPresent()) {
      in.readByte();
      user = new String(in.readNBytes(in.readUnsignedByte()), StandardCharsets.UTF_8);
      String password = new String(in.readNBytes(in.readUnsignedByte()), StandardCharsets.UTF_8);
      boolean isRight = login.get().equals(user + ":" + password);
      out.write(new byte[] {1, (byte) (isRight ? 0 : 1)});
    }
    in.readNBytes(3);
    String host =
        switch (in.readByte()) {
          case 1 -> InetAddress.getByAddress(in.readNBytes(4)).getHostAddress();
          case 4 -> "[" + InetAddress.getByAddress(in.readNBytes(16)).getHostAddress() + "]";
          default -> new String(in.readNBytes(in.readUnsignedByte()), StandardCharsets.UTF_8);
        };
    int port = in.readUnsignedShort();
    proxy.record("SOCKS5 " + host + ":" + port + " login=" + user, List.of());
    Optional<Socket> origin = proxy.connect(host + ":" + port);
    out.write(new byte[] {5, (byte) (origin.isPresent() ? 0 : 4), 0, 3, 1, 'x', 0, 0});
    if (origin.isPresent()) {
      proxy.join(client, origin.get());
    }
  }
}
