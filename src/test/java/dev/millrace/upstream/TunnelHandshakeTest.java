package dev.millrace.upstream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.millrace.upstream.UpstreamException.Kind;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is said to proxies, byte for byte. Bytes are written in hexadecimal where they are no text.
 */
class TunnelHandshakeTest {
  // SOCKS 4

  @Test
  void socks4SendsAnAddress() throws Exception {
    TunnelHandshake handshake = to("socks4://p", "x.test", 8080, "192.0.2.1");

    assertThat(hex(handshake.toSend())).isEqualTo("04011f90" + "c0000201" + "00");
    assertThat(handshake.toSend().hasRemaining()).isFalse();
    receive(handshake, "005a000000000000");
    assertThat(handshake.isEstablished()).isTrue();
  }

  @Test
  void socks4aSendsTheName_andTheUser() throws Exception {
    TunnelHandshake handshake = to("socks4a://me:secret@p", "x.test", 80, null);

    assertThat(hex(handshake.toSend()))
        .isEqualTo("04010050" + "00000001" + "6d6500" + "782e7465737400");
  }

  @Test
  void socks4IsRefused() throws Exception {
    assertRefused(to("socks4a://p", "x.test", 80, null), "005b000000000000", "SOCKS 4 reply 91");
    assertRefused(to("socks4a://p", "x.test", 80, null), "48545450", "does not speak SOCKS 4");
  }

  // SOCKS 5

  @Test
  void socks5hSendsTheName() throws Exception {
    TunnelHandshake handshake = to("socks5h://p", "x.test", 443, null);

    assertThat(hex(handshake.toSend())).isEqualTo("050100");
    receive(handshake, "0500");
    assertThat(hex(handshake.toSend())).isEqualTo("05010003" + "06782e74657374" + "01bb");
    receive(handshake, "05000001" + "000000000000");
    assertThat(handshake.isEstablished()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, 05010001c000020101bb",
    "2001:db8::1, 0501000420010db800000000000000000000000101bb"
  })
  void socks5SendsAnAddress(String address, String request) throws Exception {
    TunnelHandshake handshake = to("socks5://p", "x.test", 443, address);

    handshake.toSend();
    receive(handshake, "0500");
    assertThat(hex(handshake.toSend())).isEqualTo(request);
  }

  @Test
  void socks5LogsIn() throws Exception {
    TunnelHandshake handshake = to("socks5h://me:pw@p", "x.test", 80, null);

    assertThat(hex(handshake.toSend())).isEqualTo("05020002");
    receive(handshake, "0502");
    assertThat(hex(handshake.toSend())).isEqualTo("01026d65027077");
    receive(handshake, "0100");
    assertThat(hex(handshake.toSend())).startsWith("05010003");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "05000001" + "0102030405" + "06",
        "05000003" + "03616263" + "0506",
        "05000004" + "000102030405060708090a0b0c0d0e0f" + "0506"
      })
  void socks5TakesEveryReplyAndNoByteMore(String reply) throws Exception {
    TunnelHandshake handshake = to("socks5h://p", "x.test", 80, null);
    receive(handshake, "0500");

    receiveSingly(handshake, reply.substring(0, reply.length() - 2));
    assertThat(handshake.wanted()).isEqualTo(1);
    assertThat(handshake.isEstablished()).isFalse();
    receive(handshake, reply.substring(reply.length() - 2));
    assertThat(handshake.isEstablished()).isTrue();
    assertThat(handshake.wanted()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "05ff, login that is not configured",
    "0502, login that is not configured",
    "0400, does not speak SOCKS 5",
    "0500" + "0503000100, network unreachable",
    "0500" + "0504000100, name unknown at proxy",
    "0500" + "0502000100, not allowed",
    "0500" + "0501000100, name unknown at proxy",
    "0500" + "0400000100, does not speak",
    "0500" + "0500000700, does not speak"
  })
  void socks5IsRefused(String replies, String why) throws Exception {
    assertRefused(to("socks5h://p", "x.test", 80, null), replies, why);
  }

  @Test
  void socks5RefusesTheLogin() throws Exception {
    assertRefused(
        to("socks5h://me:hunter2@p", "x.test", 80, null),
        "05020101",
        "does not accept user and password");
  }

  // CONNECT

  @Test
  void connectNamesTheTarget_andLogsInAtOnce() throws Exception {
    TunnelHandshake handshake = to("http://me:pw@p", "2001:db8::1", 443, null);

    assertThat(text(handshake.toSend()))
        .isEqualTo(
            String.join(
                "\r\n",
                "CONNECT [2001:db8::1]:443 HTTP/1.1",
                "Host: [2001:db8::1]:443",
                "Proxy-Authorization: Basic bWU6cHc=",
                "",
                ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.0 200\r\nVia: x\r\n\r\n",
        "HTTP/1.1 204 Fine\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 100 Go on\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"
      })
  void connectIsAccepted(String answer) throws Exception {
    TunnelHandshake handshake = to("http://p", "x.test", 443, null);

    receiveSingly(handshake, HexFormat.of().formatHex(answer.getBytes(ISO_8859_1)));

    assertThat(handshake.isEstablished()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "'HTTP/1.1 407 No', credentials (407)",
    "'HTTP/1.1 403 No', answers CONNECT with 403",
    "'HTTP/1.1 302 Found', answers CONNECT with 302",
    "'HTTP/2 200', not valid HTTP",
    "'SSH-2.0', not valid HTTP",
  })
  void connectIsRefused(String statusLine, String why) throws Exception {
    byte[] answer = (statusLine + "\r\nServer: x\r\n\r\n").getBytes(ISO_8859_1);
    assertRefused(to("http://p", "x.test", 443, null), HexFormat.of().formatHex(answer), why);
  }

  @Test
  void connectRefusesBytesThatNobodyAskedFor() throws Exception {
    byte[] answer = "HTTP/1.1 200 OK\r\n\r\nx".getBytes(ISO_8859_1);
    assertRefused(
        to("http://p", "x.test", 443, null), HexFormat.of().formatHex(answer), "not valid HTTP");
  }

  @Test
  void connectRefusesAHeadWithoutEnd() throws Exception {
    TunnelHandshake handshake = to("http://p", "x.test", 443, null);
    byte[] all = new byte[handshake.wanted()];

    receive(handshake, HexFormat.of().formatHex(all, 0, all.length - 1));
    assertThat(all).hasSize(16 << 10);
    assertRefused(handshake, "00", "not valid HTTP");
  }

  private static TunnelHandshake to(String proxy, String host, int port, String address)
      throws BadTargetException, UnknownHostException {
    return TunnelHandshake.of(
        ForwardProxy.parse(proxy),
        host,
        port,
        address == null ? Optional.empty() : Optional.of(InetAddress.getByName(address)));
  }

  private static void receive(TunnelHandshake handshake, String hex) throws UpstreamException {
    ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    while (bytes.hasRemaining()) {
      int count = Math.min(bytes.remaining(), handshake.wanted());
      handshake.received(bytes.slice(bytes.position(), count));
      bytes.position(bytes.position() + count);
    }
  }

  private static void receiveSingly(TunnelHandshake handshake, String hex)
      throws UpstreamException {
    for (int at = 0; at < hex.length(); at += 2) {
      receive(handshake, hex.substring(at, at + 2));
    }
  }

  private static void assertRefused(TunnelHandshake handshake, String replies, String why) {
    assertThatExceptionOfType(UpstreamException.class)
        .isThrownBy(() -> receive(handshake, replies))
        .withMessageContaining(why)
        .withMessageNotContaining("hunter2")
        .satisfies(refused -> assertThat(refused.kind()).isEqualTo(Kind.PROXY_REFUSED));
  }

  private static String hex(ByteBuffer bytes) {
    byte[] octets = new byte[bytes.remaining()];
    bytes.get(octets);
    return HexFormat.of().formatHex(octets);
  }

  private static String text(ByteBuffer bytes) {
    return ISO_8859_1.decode(bytes).toString();
  }
}
