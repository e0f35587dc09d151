package dev.millrace.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
  private final MemoryBudget budget = new MemoryBudget(100);

  @Test
  void reservesUpToTheLimit() throws OverBudgetException {
    budget.reserve(60);
    budget.reserve(40);

    assertThat(budget.reservedBytes()).isEqualTo(100);
  }

  @Test
  void refuses_whenOneByteIsMissing() throws OverBudgetException {
    budget.reserve(60);

    assertThatThrownBy(() -> budget.reserve(41))
        .isInstanceOfSatisfying(
            OverBudgetException.class, e -> assertThat(e.status()).isEqualTo(503));
    assertThat(budget.reservedBytes()).isEqualTo(60);
  }

  @Test
  void reservesAgain_afterRelease() throws OverBudgetException {
    budget.reserve(100);
    budget.release(1);

    budget.reserve(1);

    assertThat(budget.reservedBytes()).isEqualTo(100);
  }
}
