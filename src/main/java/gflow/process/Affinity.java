package gflow.process;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;

/** Which CPUs a process may use. What it starts later inherits them. */
public final class Affinity {
  /** Room for 8192 CPUs: the kernel refuses to answer into less than it was built for. */
  private static final int BYTES = 1024;

  private Affinity() {}

  /** Binds a process (0: the calling thread); false if it is gone or none of the CPUs exists. */
  public static boolean set(long pid, Collection<Integer> cpus) {
    var set = new BitSet();
    cpus.forEach(set::set);
    byte[] bits = set.toByteArray();
    try (var arena = Arena.ofConfined()) {
      var mask = arena.allocate(BYTES, 8);
      MemorySegment.copy(bits, 0, mask, JAVA_BYTE, 0, Math.min(bits.length, BYTES));
      return Libc.call("sched_setaffinity", pid, BYTES, mask.address()) >= 0;
    }
  }

  /** The CPUs of a process (0: the calling thread), ascending; empty if it is gone. */
  public static List<Integer> get(long pid) {
    try (var arena = Arena.ofConfined()) {
      var mask = arena.allocate(BYTES, 8);
      Libc.call("sched_getaffinity", pid, BYTES, mask.address());
      return BitSet.valueOf(mask.toArray(JAVA_BYTE)).stream().boxed().toList();
    }
  }
}
