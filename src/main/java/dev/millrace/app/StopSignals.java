package dev.millrace.app;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import sun.misc.Signal;

/**
 * Listens to {@code SIGTERM} and {@code SIGINT} in place of the JVM, whose own way would end with
 * the signal's exit code and be deaf to a second one.
 */
final class StopSignals {
  private static final Logger LOG = LoggerFactory.getLogger(StopSignals.class);

  private StopSignals() {}

  /**
   * Listens from now on.
   *
   * @param first runs for the first signal, on a thread of its own
   * @param again runs for every further one, also while {@code first} runs
   */
  static void listen(Runnable first, Runnable again) {
    AtomicBoolean isHeard = new AtomicBoolean();
    for (String name : new String[] {"TERM", "INT"}) {
      try {
        var unused =
            Signal.handle(
                new Signal(name),
                signal -> (isHeard.compareAndSet(false, true) ? first : again).run());
      } catch (IllegalArgumentException e) {
        LOG.debug("the JVM keeps SIG{} to itself", name, e); // -Xrs
      }
    }
  }
}
