package gflow.tasks;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;

/** Cuts what comes from one rank into lines. */
final class PmiLines {
  private final StringBuilder begun = new StringBuilder();
  private boolean tooLong;

  /** The lines that are whole now, without their ends. */
  List<String> of(byte[] bytes) {
    var lines = new ArrayList<String>();
    for (char each : new String(bytes, ISO_8859_1).toCharArray()) {
      if (each == '\n') {
        lines.add(begun.toString());
        begun.setLength(0);
      } else if (begun.length() < Pmi.MOST_LINE) {
        begun.append(each);
      } else {
        tooLong = true;
      }
    }
    return lines;
  }

  /** Whether a line was longer than any that means something. */
  boolean isTooLong() {
    return tooLong;
  }
}
