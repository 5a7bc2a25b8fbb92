package gflow.gpu;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import gflow.gpu.GpuReading.Sign;
import gflow.gpu.NvmlLibrary.Function;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;

/** One reading of one GPU. */
final class GpuSample {
  /** What nvmlMemory_v2_t must say of itself: its size, and version 2 in the top byte. */
  private static final int MEMORY_V2 = 40 | 2 << 24;

  private static final int EXCLUSIVE_THREAD = 1;
  private static final int PROHIBITED = 2;
  private static final int EXCLUSIVE_PROCESS = 3;
  private static final String NOBODY = "nobody may compute there (root: nvidia-smi -c 0)";

  private final NvmlLibrary library;
  private final MemorySegment gpu;
  private final ProcFs proc;
  private final Arena arena;
  private int trouble = NvmlLibrary.OK;

  private GpuSample(NvmlLibrary library, MemorySegment gpu, ProcFs proc, Arena arena) {
    this.library = library;
    this.gpu = gpu;
    this.proc = proc;
    this.arena = arena;
  }

  static GpuReading of(NvmlLibrary library, NvmlGpu gpu, ProcFs proc) {
    try (var arena = Arena.ofConfined()) {
      return new GpuSample(library, gpu.handle(), proc, arena).read(gpu.device());
    }
  }

  private GpuReading read(GpuDevice device) {
    var used = memoryUsed();
    var compute = compute();
    var utilization = figure(out -> library.call(Function.UTILIZATION, gpu, out));
    var temperature = figure(out -> library.call(Function.TEMPERATURE, gpu, 0, out));
    var milliwatts = figure(out -> library.call(Function.POWER, gpu, out));
    int mode = figure(out -> library.call(Function.COMPUTE_MODE, gpu, out)).orElse(0);
    return new GpuReading(
        device.id(),
        used,
        utilization,
        temperature,
        milliwatts.isPresent() ? Optional.of(milliwatts.getAsInt() / 1000.0) : Optional.empty(),
        compute,
        trouble(mode),
        signs(mode));
  }

  private Optional<String> trouble(int mode) {
    if (trouble != NvmlLibrary.OK) {
      return Optional.of(NvmlLibrary.words(trouble));
    }
    return mode == PROHIBITED ? Optional.of(NOBODY) : Optional.empty();
  }

  private List<Sign> signs(int mode) {
    var signs = new ArrayList<Sign>();
    if (mode == EXCLUSIVE_THREAD || mode == EXCLUSIVE_PROCESS) {
      signs.add(Sign.EXCLUSIVE);
    }
    if (!entries(Function.GRAPHICS_PROCESSES).isEmpty()) {
      signs.add(Sign.GRAPHICS);
    }
    if (trouble == NvmlLibrary.LOST || trouble == NvmlLibrary.RESET_REQUIRED) {
      signs.add(Sign.LOST);
    }
    return signs;
  }

  /** The newer form leaves out what the driver keeps for itself, as nvidia-smi does. */
  private OptionalLong memoryUsed() {
    var info = arena.allocate(40, 8);
    info.set(JAVA_INT, 0, MEMORY_V2);
    int code = library.call(Function.MEMORY_V2, gpu, info);
    if (code == NvmlLibrary.OK) {
      return OptionalLong.of(info.get(JAVA_LONG, 32));
    }
    code = isTrouble(code) ? code : library.call(Function.MEMORY, gpu, info);
    note(code);
    return code == NvmlLibrary.OK ? OptionalLong.of(info.get(JAVA_LONG, 16)) : OptionalLong.empty();
  }

  private List<GpuProcess> compute() {
    // Under MPS one list has the server, or its clients, or both: the union is what computes.
    var byPid = new TreeMap<Long, OptionalLong>();
    var clients = new TreeSet<Long>();
    entries(Function.COMPUTE_PROCESSES).forEach(e -> byPid.put(e.pid(), e.memory()));
    for (ProcessRecords.Entry client : entries(Function.MPS_PROCESSES)) {
      byPid.merge(client.pid(), client.memory(), GpuSample::larger);
      clients.add(client.pid());
    }
    return byPid.entrySet().stream()
        .flatMap(e -> look(e.getKey(), e.getValue(), clients.contains(e.getKey())).stream())
        .toList();
  }

  private List<ProcessRecords.Entry> entries(Function list) {
    if (trouble != NvmlLibrary.OK) {
      return List.of();
    }
    var listing =
        ProcessRecords.read((length, records) -> library.call(list, gpu, length, records));
    note(listing.code());
    return listing.entries();
  }

  private static OptionalLong larger(OptionalLong a, OptionalLong b) {
    return a.orElse(-1) >= b.orElse(-1) ? a : b;
  }

  /**
   * A pid that is not in our /proc is either dead by now, which is not news to anybody, or it is in
   * another pid namespace, hidden (hidepid), or stuck in the driver; all of these hold memory, so
   * that the GPU is not free. The memory therefore decides.
   */
  private Optional<GpuProcess> look(long pid, OptionalLong memory, boolean mps) {
    var seen = proc.look(pid);
    if (seen.isEmpty() && memory.orElse(0) == 0) {
      return Optional.empty();
    }
    var who = seen.orElse(new ProcFs.Seen(GpuProcess.UNSEEN, GpuProcess.UNSEEN));
    return Optional.of(new GpuProcess(pid, who.user(), who.command(), memory, mps));
  }

  /** A number that placement does not depend on: the first 32 bits of the answer, or n/a. */
  private OptionalInt figure(ToIntFunction<MemorySegment> call) {
    if (trouble != NvmlLibrary.OK) {
      return OptionalInt.empty();
    }
    var out = arena.allocate(8, 8);
    int code = call.applyAsInt(out);
    // Healthy GPUs are known to answer "unknown error" for power or temperature.
    note(code == NvmlLibrary.UNKNOWN ? NvmlLibrary.OK : code);
    return code == NvmlLibrary.OK ? OptionalInt.of(out.get(JAVA_INT, 0)) : OptionalInt.empty();
  }

  private void note(int code) {
    if (trouble == NvmlLibrary.OK && isTrouble(code)) {
      trouble = code;
    }
  }

  private static boolean isTrouble(int code) {
    return code == NvmlLibrary.LOST
        || code == NvmlLibrary.RESET_REQUIRED
        || code == NvmlLibrary.UNKNOWN;
  }
}
