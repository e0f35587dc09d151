package dev.millrace.servlet;

import dev.millrace.stream.WaitTimer;
import dev.millrace.testing.ManualTimer;
import dev.millrace.testing.ScriptedSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A relay between a scripted source and a scripted response; counts how it ends. */
final class RelayFixture implements Relay.End {
  static final Duration CLIENT_IDLE = Duration.ofHours(1);

  final ManualTimer timer = new ManualTimer();
  final ScriptedSource source = new ScriptedSource();
  final ScriptedOutput out;
  final Relay relay;
  final List<Throwable> failures = new ArrayList<>();
  int completions;
  Runnable onFailure = () -> {};

  private RelayFixture(boolean isSlow, Writes writes) {
    out = new ScriptedOutput(isSlow);
    relay =
        new Relay(
            out,
            writes,
            action -> new WaitTimer(timer, timer::nanoTime, CLIENT_IDLE, action),
            this);
    out.setWriteListener(relay);
  }

  static RelayFixture fast() {
    return new RelayFixture(false, Writes.PASSED_ON);
  }

  /** Whose client takes bytes when the test says so. */
  static RelayFixture slow() {
    return new RelayFixture(true, Writes.PASSED_ON);
  }

  /** Whose container keeps what is written until it is flushed. */
  static RelayFixture gathering() {
    return new RelayFixture(false, Writes.GATHERED);
  }

  @Override
  public void completed() {
    completions++;
  }

  @Override
  public void failed(Throwable failure) {
    failures.add(failure);
    onFailure.run();
  }

  /** How often the end was told. */
  int ends() {
    return completions + failures.size();
  }
}
