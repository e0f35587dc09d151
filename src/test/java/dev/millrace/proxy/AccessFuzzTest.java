package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.link.LinkFormat;
import dev.millrace.link.LinkRights;
import dev.millrace.link.LinkTokens;
import dev.millrace.link.ProxyLink;
import dev.millrace.stream.ExchangeException;
import dev.millrace.testing.Mutations;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nearly valid links and queries: nothing but what a client may be told comes of them. */
@Timeout(60)
class AccessFuzzTest {
  private static final int ROUNDS = 20_000;
  private static final long SEED = Long.getLong("fuzz.seed", new Random().nextLong());

  private final LinkTokens tokens =
      new LinkTokens("pw", List.of("a secret for tests only"), LinkFormat.V2, true);
  private final AccessPolicy policy =
      AccessPolicy.of(
          new ProxyConfig(Optional.of("pw"), false, "ua", false),
          Optional.of(tokens),
          Clock.systemUTC(),
          System::nanoTime);

  @Test
  void opensOrRefuses_andDoesNothingElse() {
    Mutations mutations = new Mutations(new Random(SEED));
    String token = tokens.seal(new ProxyLink(Map.of("d", "http://a/"), LinkRights.UNLIMITED));
    int admitted = 0;
    for (int i = 0; i < ROUNDS; i++) {
      String path = mutations.of("/_token_" + token + "/proxy/stream");
      String query = mutations.of("d=http%3A%2F%2Fa%2F&token=" + token + "&api_password=pw");
      String address = mutations.of("2001:db8:" + Integer.toHexString(i) + "::1");
      admitted += isAdmitted(path, query, address) ? 1 : 0;
    }
    System.out.println("AccessFuzzTest: " + admitted + " admitted, seed " + SEED);
    assertThat(admitted).isBetween(1, ROUNDS - 1);
  }

  private boolean isAdmitted(String path, String query, String address) {
    try {
      Claim claim =
          new Claim(
              path,
              QueryParameters.parse(query),
              Optional.empty(),
              new Caller(address, false),
              "h");
      Visit visit = policy.receive(claim);
      policy.admit(Endpoint.STREAM, visit);
      return true;
    } catch (ExchangeException refused) {
      assertThat(refused.status()).as("seed " + SEED).isIn(400, 401, 403, 429);
      return false;
    }
  }
}
