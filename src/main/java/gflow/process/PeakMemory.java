package gflow.process;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * How large an attempt and its steps have been when somebody looked: without a limit on memory no
 * cgroup counts it, and the kernel tells the peak of a child only if that is larger than ours.
 */
final class PeakMemory {
  private final ProcessMark mark;
  private final ProcessMark guests;
  private final Map<OptionalInt, Long> largest = new HashMap<>();

  PeakMemory(ProcessMark mark) {
    this.mark = mark;
    guests = mark.ofGuests();
  }

  /** What lives together counts together; of one alone the kernel has kept the peak. */
  void look(Collection<ProcessId> members) {
    var sums = new HashMap<OptionalInt, Long>();
    var alone = new HashMap<OptionalInt, Long>();
    for (ProcessId member : members) {
      Proc.memory(member.pid())
          .ifPresent(
              memory -> {
                sums.merge(OptionalInt.empty(), memory.now(), Long::sum);
                alone.merge(OptionalInt.empty(), memory.peak(), Math::max);
                OptionalInt step = step(member.pid());
                if (step.isPresent()) {
                  sums.merge(step, memory.now(), Long::sum);
                  alone.merge(step, memory.peak(), Math::max);
                }
              });
    }
    keep(sums);
    keep(alone);
  }

  private OptionalInt step(long pid) {
    OptionalInt step = mark.step(pid);
    return step.isPresent() ? step : guests.step(pid);
  }

  private synchronized void keep(Map<OptionalInt, Long> sizes) {
    sizes.forEach((part, bytes) -> largest.merge(part, bytes, Math::max));
  }

  /** Of the step with that number, or of all. */
  synchronized OptionalLong of(OptionalInt step) {
    Long bytes = largest.get(step);
    return bytes == null ? OptionalLong.empty() : OptionalLong.of(bytes);
  }
}
