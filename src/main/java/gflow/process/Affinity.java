package gflow.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;

/** Which CPUs a process may use. What it starts later inherits them. */
public final class Affinity {
  /** Room for 8192 CPUs: the kernel refuses to answer into less than it was built for. */
  private static final int BYTES = 1024;

  private static final FunctionDescriptor TYPE = Libc.type(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);

  private Affinity() {}

  /** Binds a process (0: the calling thread); false if it is gone or none of the CPUs exists. */
  public static boolean set(long pid, Collection<Integer> cpus) {
    final class Bound {
      static final MethodHandle SET = Libc.bindErrno("sched_setaffinity", TYPE);
    }
    var set = new BitSet();
    cpus.forEach(set::set);
    byte[] bits = set.toByteArray();
    int result =
        Libc.call(
            (state, arena) -> {
              var mask = arena.allocate(BYTES, 8);
              MemorySegment.copy(bits, 0, mask, JAVA_BYTE, 0, Math.min(bits.length, BYTES));
              return (int) Bound.SET.invokeExact(state, (int) pid, (long) BYTES, mask);
            });
    return result >= 0;
  }

  /** The CPUs of a process (0: the calling thread), ascending; empty if it is gone. */
  public static List<Integer> get(long pid) {
    final class Bound {
      static final MethodHandle GET = Libc.bindErrno("sched_getaffinity", TYPE);
    }
    var bits = new byte[BYTES];
    Libc.call(
        (state, arena) -> {
          var mask = arena.allocate(BYTES, 8);
          int result = (int) Bound.GET.invokeExact(state, (int) pid, (long) BYTES, mask);
          MemorySegment.copy(mask, JAVA_BYTE, 0, bits, 0, BYTES);
          return result;
        });
    return BitSet.valueOf(bits).stream().boxed().toList();
  }
}
