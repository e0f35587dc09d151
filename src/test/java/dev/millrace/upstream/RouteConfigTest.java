package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.upstream.RouteConfig.Route;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RouteConfigTest {
  @Test
  void hasTheseDefaults() {
    assertThat(RouteConfig.defaults())
        .isEqualTo(new RouteConfig(List.of(), Optional.empty(), false));
    assertThat(Route.through("all://x"))
        .isEqualTo(new Route("all://x", true, Optional.empty(), true));
  }
}
