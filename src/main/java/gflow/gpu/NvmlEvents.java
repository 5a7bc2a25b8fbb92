package gflow.gpu;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import gflow.gpu.NvmlLibrary.Function;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** The errors that the driver tells of by itself, from now on; for one thread. */
final class NvmlEvents {
  private static final long XID = 0x8;
  private static final int DATA = 32;

  /** nvmlFieldValue_t, what in it is the field's own return code, and its value. */
  private static final int FIELD = 40;

  private static final int FIELD_CODE = 28;
  private static final int FIELD_VALUE = 32;
  private static final int RECOVERY_ACTION = 230;

  private final NvmlLibrary library;
  private final List<NvmlGpu> gpus;
  private final MemorySegment set;

  private NvmlEvents(NvmlLibrary library, List<NvmlGpu> gpus, MemorySegment set) {
    this.library = library;
    this.gpus = gpus;
    this.set = set;
  }

  /** None where the driver has no such events, or for none of these GPUs. */
  static Optional<NvmlEvents> of(NvmlLibrary library, List<NvmlGpu> gpus) {
    try (var arena = Arena.ofConfined()) {
      var out = arena.allocate(ADDRESS);
      if (library.call(Function.EVENT_SET, out) != NvmlLibrary.OK) {
        return Optional.empty();
      }
      MemorySegment set = out.get(ADDRESS, 0);
      List<NvmlGpu> telling = gpus.stream().filter(gpu -> register(library, gpu, set)).toList();
      return telling.isEmpty()
          ? Optional.empty()
          : Optional.of(new NvmlEvents(library, telling, set));
    }
  }

  private static boolean register(NvmlLibrary library, NvmlGpu gpu, MemorySegment set) {
    try (var arena = Arena.ofConfined()) {
      var types = arena.allocate(JAVA_LONG);
      return library.call(Function.EVENT_TYPES, gpu.handle(), types) == NvmlLibrary.OK
          && (types.get(JAVA_LONG, 0) & XID) != 0
          && library.call(Function.REGISTER_EVENTS, gpu.handle(), XID, set) == NvmlLibrary.OK;
    }
  }

  /** Waits so long. A driver that cannot even wait is asked no sooner than after that. */
  Optional<GpuProbe.Fault> await(Duration wait) {
    try (var arena = Arena.ofConfined()) {
      var data = arena.allocate(DATA, 8);
      int code = library.call(Function.AWAIT_EVENT, set, data, (int) wait.toMillis());
      if (code == NvmlLibrary.TIMEOUT) {
        return Optional.empty();
      }
      if (code != NvmlLibrary.OK) {
        LockSupport.parkNanos(wait.toNanos());
        return Optional.empty();
      }
      long handle = data.get(ADDRESS, 0).address();
      int number = (int) data.get(JAVA_LONG, 16);
      return gpus.stream()
          .filter(gpu -> gpu.handle().address() == handle)
          .findFirst()
          .map(gpu -> new GpuProbe.Fault(gpu.device().id(), xid(gpu, number)));
    }
  }

  /** A driver that cannot say what is to be done leaves the usual meaning. */
  private Xid xid(NvmlGpu gpu, int number) {
    if (number != Xid.RECOVERY) {
      return Xid.of(number);
    }
    try (var arena = Arena.ofConfined()) {
      var field = arena.allocate(FIELD, 8);
      field.set(JAVA_INT, 0, RECOVERY_ACTION);
      boolean told =
          library.call(Function.FIELD_VALUES, gpu.handle(), 1, field) == NvmlLibrary.OK
              && field.get(JAVA_INT, FIELD_CODE) == NvmlLibrary.OK;
      return told ? Xid.recovery(field.get(JAVA_INT, FIELD_VALUE)) : Xid.of(number);
    }
  }
}
