package gflow.tasks;

import gflow.job.Ranges;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Tasks that failed, in the words of srun: those that ended alike share a line. */
final class Failures {
  private static final List<String> SIGNALS =
      List.of(
          ("Hangup,Interrupt,Quit,Illegal instruction,Trace/breakpoint trap,Aborted,Bus error,"
                  + "Floating point exception,Killed,User defined signal 1,Segmentation fault,"
                  + "User defined signal 2,Broken pipe,Alarm clock,Terminated")
              .split(",", -1));

  private final Map<String, TreeSet<Integer>> unsaid = new LinkedHashMap<>();

  /** How a task ended: its code as a shell has it, and whether a signal made it so. */
  record End(int code, boolean bySignal, boolean dumped) {
    String words() {
      int signal = code - 128;
      if (!bySignal || signal < 1) {
        return "Exited with exit code " + code;
      }
      String name =
          signal <= SIGNALS.size() ? SIGNALS.get(signal - 1) : "Real-time signal " + (signal - 34);
      return name + (dumped ? " (core dumped)" : "");
    }
  }

  void add(int task, End end) {
    unsaid.computeIfAbsent(end.words(), _ -> new TreeSet<>()).add(task);
  }

  boolean isEmpty() {
    return unsaid.isEmpty();
  }

  /** A line for each way to end that was not told yet. */
  List<String> lines() {
    var lines = new ArrayList<String>();
    unsaid.forEach(
        (how, tasks) ->
            lines.add((tasks.size() == 1 ? "task " : "tasks ") + Ranges.ofAll(tasks) + ": " + how));
    unsaid.clear();
    return lines;
  }
}
