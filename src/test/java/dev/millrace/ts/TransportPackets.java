package dev.millrace.ts;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads packets by ISO/IEC 13818-1 §2.4.3, and tells what is wrong with them. */
final class TransportPackets {
  private static final int PACKET = 188;
  private final byte[] bytes;
  private final Map<Integer, Integer> counters = new HashMap<>();
  private final List<String> problems = new ArrayList<>();
  private final List<Long> clocks = new ArrayList<>();

  TransportPackets(byte[] bytes) {
    this.bytes = bytes;
    if (bytes.length % PACKET != 0) {
      problems.add(bytes.length + " bytes");
    }
    for (int at = 0; at + PACKET <= bytes.length; at += PACKET) {
      read(at);
    }
  }

  private int u8(int at) {
    return bytes[at] & 0xff;
  }

  private void read(int at) {
    int pid = (u8(at + 1) & 0x1f) << 8 | u8(at + 2);
    int control = u8(at + 3) >> 4 & 3;
    int counter = u8(at + 3) & 15;
    boolean hasPayload = (control & 1) != 0;
    if (u8(at) != 0x47 || control == 0) {
      problems.add("no packet at " + at);
    }
    Integer last = counters.put(pid, counter);
    if (last != null && counter != (hasPayload ? (last + 1) & 15 : last)) {
      problems.add("counter of " + pid + " goes from " + last + " to " + counter);
    }
    if ((control & 2) != 0) {
      adaptation(at, pid, last == null, hasPayload);
    } else if (last == null && pid >= 0x100 && pid < 0x1000) {
      problems.add("nothing says that " + pid + " begins");
    }
  }

  private void adaptation(int at, int pid, boolean isFirst, boolean hasPayload) {
    int length = u8(at + 4);
    if (length > (hasPayload ? 182 : 183) || (!hasPayload && length != 183)) {
      problems.add("adaptation of " + length + " at " + at);
    }
    int flags = length == 0 ? 0 : u8(at + 5);
    if (isFirst && (flags & 0x80) == 0) {
      problems.add("nothing says that " + pid + " begins");
    }
    if ((flags & 0x10) != 0) {
      long base = (long) u8(at + 6) << 25 | u8(at + 7) << 17 | u8(at + 8) << 9;
      clocks.add(base | u8(at + 9) << 1 | u8(at + 10) >> 7);
    }
  }

  List<String> problems() {
    return problems;
  }

  /** In units of 90 kHz. */
  long longestClockStep() {
    long longest = 0;
    for (int i = 1; i < clocks.size(); i++) {
      longest = Math.max(longest, clocks.get(i) - clocks.get(i - 1));
    }
    return longest;
  }
}
