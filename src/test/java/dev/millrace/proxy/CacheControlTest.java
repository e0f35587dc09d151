package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CacheControlTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | private",
        "public | private",
        "'public, max-age=60, immutable' | 'private, max-age=60, immutable'",
        "'max-age=60,s-maxage=600' | 'private, max-age=60'",
        "'Public ; x' | 'private, Public ; x'",
        "'PUBLIC, S-MaxAge = 5, proxy-revalidate' | private",
        "no-cache | 'private, no-cache'",
        "no-store | no-store",
        "'public, No-Store' | 'public, No-Store'",
        "'private, max-age=1' | 'private, max-age=1'",
        "'private=\"set-cookie\"' | 'private, private=\"set-cookie\"'",
        "', ,' | private",
      })
  void keepsAnswersFromSharedCaches(String origins, String ours) {
    assertThat(CacheControl.forViewer(origins)).isEqualTo(ours);
  }
}
