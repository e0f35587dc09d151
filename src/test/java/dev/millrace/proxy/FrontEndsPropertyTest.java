package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.upstream.IpAddress;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever forwarding fields say, a request comes from an address, and links lead somewhere. */
class FrontEndsPropertyTest {
  private static final FrontEnds FRONT_ENDS =
      FrontEnds.of(new FrontEndConfig(List.of("*"), Optional.empty(), ""), () -> System.nanoTime());

  @Property
  void findsAnAddress_whateverFieldsSay(
      @ForAll("fields") String forwardedFor,
      @ForAll("fields") String forwarded,
      @ForAll("fields") String host,
      @ForAll("fields") String prefix) {
    Arrival arrival =
        FRONT_ENDS.arrival(
            new FrontEnds.Connection("192.0.2.1", "http", "proxy.example", "proxy.example", ""),
            name ->
                switch (name) {
                  case "X-Forwarded-For" -> List.of(forwardedFor);
                  case "Forwarded" -> List.of(forwarded);
                  case "X-Forwarded-Host" -> List.of(host);
                  case "X-Forwarded-Prefix" -> List.of(prefix);
                  default -> List.of();
                });

    assertThat(IpAddress.parse(arrival.caller().address())).isPresent();
    assertThat(arrival.publicAddress().url("/proxy/stream"))
        .matches("https?://[A-Za-z0-9.\\[\\]:_~-]+(/[A-Za-z0-9._~-]+)*/proxy/stream");
  }

  /** Mostly of what such fields are made of. */
  @Provide
  static Arbitrary<String> fields() {
    Arbitrary<String> pieces =
        Arbitraries.of(
            "for=",
            "proto=https",
            "host=",
            "by=",
            "\"",
            ";",
            ",",
            " ",
            "[",
            "]",
            ":",
            "::1",
            "/a",
            "//",
            "..",
            "10.0.0.1",
            "2001:db8::1",
            "unknown",
            "_x",
            "proxy.example",
            ":443",
            "%2f",
            "\\",
            "\u00e9");
    return Arbitraries.oneOf(
        pieces.list().ofMaxSize(12).map(list -> String.join("", list)),
        Arbitraries.strings().ofMaxLength(60));
  }
}
