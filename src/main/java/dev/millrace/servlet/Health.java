package dev.millrace.servlet;

import dev.millrace.stream.MemoryBudget;
import java.time.Clock;

/** Whether the server runs, and whether it should be sent requests. */
public final class Health {
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  private final Clock clock;
  private final Sessions sessions;
  private final MemoryBudget buffers;

  public Health(Clock clock, Sessions sessions, MemoryBudget buffers) {
    this.clock = clock;
    this.sessions = sessions;
    this.buffers = buffers;
  }

  /** What health checks of the older programs expect, and the time. */
  public Page healthy() {
    return page(OK, "healthy");
  }

  /** 200 for as long as the process answers at all. */
  public Page live() {
    return page(OK, "live");
  }

  /** 200 if another stream would be taken now; 503 while it stops, or has no memory for one. */
  public Page ready() {
    if (sessions.isRefusing()) {
      return page(UNAVAILABLE, "draining");
    }
    long freeBytes = buffers.limitBytes() - buffers.reservedBytes();
    return freeBytes < StreamServices.BUFFER_BYTES
        ? page(UNAVAILABLE, "over_capacity")
        : page(OK, "ready");
  }

  private Page page(int status, String word) {
    return Page.of(
        status,
        Page.JSON,
        "{\"status\":\"" + word + "\",\"timestamp\":\"" + clock.instant() + "\"}");
  }
}
