package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.link.FormEncoding;
import dev.millrace.stream.ByteBuilder;
import dev.millrace.upstream.Header;
import dev.millrace.upstream.Headers;

/**
 * Addresses as the streaming server of a Stremio installation takes them: {@code
 * …/proxy/d=<origin>&h=<name:value>&r=<name:value>/<path>?<query>}, with the fields for the origin
 * and those of the response.
 */
final class StremioLinks {
  private final byte[] start;
  private final byte[] fields;

  /**
   * @param url of the server
   */
  StremioLinks(String url, ProxyParameters parameters) {
    String base = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    start = (base + "/proxy/d=").getBytes(UTF_8);
    fields =
        (fields("h", parameters.requestHeaders().without("range").without("if-range"))
                + fields("r", parameters.responseHeaders()))
            .getBytes(UTF_8);
  }

  private static String fields(String name, Headers headers) {
    StringBuilder text = new StringBuilder();
    for (Header line : headers) {
      String value = new String(line.value().getBytes(ISO_8859_1), UTF_8);
      text.append('&').append(name).append('=').append(encoded(line.name() + ":" + value));
    }
    return text.toString();
  }

  private static String encoded(String text) {
    return FormEncoding.text(text).replace("+", "%20");
  }

  void append(ByteBuilder address, ByteBuilder out) {
    int pathStart = AddressText.pathStart(address);
    String origin = new String(address.array(), 0, pathStart, UTF_8);
    out.append(start).append(encoded(origin)).append(fields);
    if (pathStart == address.length() || address.at(pathStart) != '/') {
      out.append((byte) '/');
    }
    out.append(address.array(), pathStart, address.length() - pathStart);
  }
}
