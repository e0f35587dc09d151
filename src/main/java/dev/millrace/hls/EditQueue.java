package dev.millrace.hls;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;

/** Edits in the order of their places; what is left out line by line becomes one edit. */
final class EditQueue {
  private final Queue<Edit> edits = new ArrayDeque<>();
  private int from;
  private int to;

  void leaveOut(int lineFrom, int lineTo) {
    if (from < to && to == lineFrom) {
      to = lineTo;
      return;
    }
    end();
    from = lineFrom;
    to = lineTo;
  }

  /** An edit that leaves out, inserts and carries nothing is none. */
  void add(int lineFrom, int lineTo, String insertion, Map<String, String> carried) {
    if (lineFrom < lineTo && insertion.isEmpty()) {
      leaveOut(lineFrom, lineTo);
    } else if (lineFrom < lineTo || !insertion.isEmpty() || !carried.isEmpty()) {
      end();
      edits.add(new Edit(lineFrom, lineTo, insertion, carried));
    }
  }

  void add(int lineFrom, int lineTo, String insertion) {
    add(lineFrom, lineTo, insertion, Map.of());
  }

  /** Nothing more is left out where the last was. */
  void end() {
    if (from < to) {
      edits.add(new Edit(from, to, ""));
    }
    from = to;
  }

  boolean isEmpty() {
    return edits.isEmpty();
  }

  Edit remove() {
    return edits.remove();
  }
}
