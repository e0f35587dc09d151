package dev.millrace.proxy;

import static dev.millrace.proxy.ParametersFixture.parameters;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.stream.ExchangeException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RangeRequestTest {
  @ParameterizedTest(name = "[{index}] query {0}, client {1} / {2}")
  @CsvSource({
    "'',bytes=1-2,'\"e\"',bytes=1-2,'\"e\"'",
    "'',bytes=1-2,'',bytes=1-2,",
    "'','','\"e\"',,",
    "'','bytes=0-1,4-5','\"e\"',,",
    "&h_range=bytes=5-,bytes=1-2,'\"e\"',bytes=5-,'\"e\"'",
    "&h_range=bytes=5-,bytes=NaN-NaN,'',bytes=5-,",
    "&h_range=,bytes=1-2,'',bytes=1-2,",
    "&h_if-range=W,bytes=1-2,'\"e\"',bytes=1-2,W",
    "&h_if-range=W,'','',,",
  })
  void takesParameterThenClient(
      String query, String clientRange, String clientIfRange, String range, String ifRange)
      throws ExchangeException {
    RangeRequest read =
        RangeRequest.of(parameters(query), Optional.of(clientRange), Optional.of(clientIfRange));

    assertThat(read.range().map(ByteRange::fieldValue)).isEqualTo(Optional.ofNullable(range));
    assertThat(read.ifRange()).isEqualTo(Optional.ofNullable(ifRange));
  }

  @Test
  void refusesClientsRange_whenItCannotBeRead() {
    assertThatThrownBy(() -> ParametersFixture.range("bytes=NaN-NaN"))
        .isInstanceOf(RangeNotSatisfiableException.class);
  }

  @Test
  void namesParameter_whenItsRangeCannotBeRead() throws ExchangeException {
    ProxyParameters parameters = parameters("&h_range=bytes=x");

    assertThatThrownBy(() -> RangeRequest.of(parameters, Optional.empty(), Optional.empty()))
        .isInstanceOf(BadParameterException.class)
        .hasMessageStartingWith("h_range: ");
  }
}
