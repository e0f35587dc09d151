package dev.millrace.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proxy.PublicAddress;
import dev.millrace.proxy.ValidationException;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever stands in the body, it is a wish for links or is refused with a place in it. */
class LinkFormPropertyTest {
  private static final PublicAddress OWN = new PublicAddress("https://proxy.example", "");

  @Property
  void readsOrRefuses(@ForAll("bodies") String body) {
    try {
      assertThat(LinkForm.one(body, OWN).links()).hasSize(1);
    } catch (ValidationException refused) {
      assertThat(refused.status()).isEqualTo(422);
      assertThat(refused.loc().get(0)).isEqualTo("body");
    }
  }

  @Property
  void readsOrRefusesLists(@ForAll("bodies") String body) {
    try {
      assertThat(LinkForm.many(body, OWN).links()).hasSizeLessThanOrEqualTo(1000);
    } catch (ValidationException refused) {
      assertThat(refused.loc().get(0)).isEqualTo("body");
    }
  }

  /** Objects with the fields of the routes and values of all kinds, and what is no object. */
  @Provide
  static Arbitrary<String> bodies() {
    Arbitrary<String> fields =
        Arbitraries.of(
            "mediaflow_proxy_url",
            "endpoint",
            "destination_url",
            "query_params",
            "request_headers",
            "remove_response_headers",
            "expiration",
            "ip",
            "api_password",
            "filename",
            "base64_encode_destination",
            "urls",
            "x");
    Arbitrary<String> values =
        Arbitraries.of(
            "null",
            "true",
            "-1",
            "3600",
            "1e999",
            "\"\"",
            "\"https://proxy.example/a\"",
            "\"/proxy/stream\"",
            "\"\\ud800\"",
            "\"::1\"",
            "{}",
            "{\"a\":\"b\"}",
            "{\"a\":[]}",
            "[]",
            "[\"etag\"]",
            "[{\"endpoint\":\"/proxy/stream\"}]",
            "[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]",
            "}",
            "");
    Arbitrary<String> members =
        fields.flatMap(field -> values.map(value -> "\"" + field + "\":" + value));
    return Arbitraries.oneOf(
        members.list().ofMaxSize(8).map(list -> "{" + String.join(",", list) + "}"),
        Arbitraries.strings().ofMaxLength(50));
  }
}
