package gflow.gpu;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import gflow.gpu.NvmlLibrary.Function;
import gflow.job.GpuId;
import gflow.job.Ranges;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Takes the inventory through NVML: every GPU that the driver shows and lets us use. */
final class NvmlInventory {
  private static final int TEXT = 96;

  private final NvmlLibrary library;
  private final List<NvmlGpu> gpus = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();

  /** Instances are counted after all GPUs, so that those keep the numbers of nvidia-smi. */
  private int wholeGpus;

  private int instances;

  private NvmlInventory(NvmlLibrary library) {
    this.library = library;
  }

  /**
   * Never throws, and does not wait for ever: what goes wrong is a machine without GPUs and a line
   * that says why.
   */
  static GpuProbe open(String file, Optional<String> visible, Duration patience) {
    var opening = new FutureTask<>(() -> open(file, visible));
    Thread.ofPlatform().name("gflow-nvml").daemon().start(opening);
    try {
      return opening.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return new NoGpus(
          "none: the NVIDIA driver does not answer (look at the kernel's log, then gflowd"
              + " restart)");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new NoGpus("none: interrupted");
    }
  }

  private static GpuProbe open(String file, Optional<String> visible) {
    NvmlLibrary library;
    try {
      library = new NvmlLibrary(file);
    } catch (IllegalArgumentException e) {
      boolean there = file.contains("/") && Files.exists(Path.of(file));
      return new NoGpus("none: " + file + (there ? " is not a library" : " not found"));
    } catch (RuntimeException | LinkageError e) {
      return new NoGpus("none: " + file + " cannot be used: " + firstLine(e));
    }
    int code = library.call(Function.INIT);
    if (code != NvmlLibrary.OK) {
      return new NoGpus("none: NVML does not start: " + NvmlLibrary.words(code));
    }
    return new NvmlInventory(library).probe(visible);
  }

  private static String firstLine(Throwable e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  private GpuProbe probe(Optional<String> visible) {
    int code = list();
    if (code != NvmlLibrary.OK) {
      library.call(Function.SHUTDOWN);
      return new NoGpus("none: NVML does not list the GPUs: " + NvmlLibrary.words(code));
    }
    var all = gpus.stream().map(NvmlGpu::device).toList();
    var ours = VisibleDevices.leaves(all, visible);
    if (ours.size() < all.size()) {
      remarks.add("CUDA_VISIBLE_DEVICES leaves " + ours.size() + " of " + all.size() + " GPUs");
    }
    gpus.removeIf(gpu -> !ours.contains(gpu.device()));
    return new NvmlProbe(library, List.copyOf(gpus), source());
  }

  private String source() {
    var words = new StringBuilder("NVML, driver ").append(driver());
    remarks.forEach(remark -> words.append("; ").append(remark));
    return words.toString();
  }

  private String driver() {
    try (var arena = Arena.ofConfined()) {
      var text = arena.allocate(TEXT);
      return library.call(Function.DRIVER_VERSION, text, TEXT) == NvmlLibrary.OK
          ? text.getString(0)
          : "unknown";
    }
  }

  private int list() {
    try (var arena = Arena.ofConfined()) {
      var count = arena.allocate(JAVA_INT);
      int code = library.call(Function.COUNT, count);
      if (code == NvmlLibrary.OK) {
        wholeGpus = count.get(JAVA_INT, 0);
        for (int index = 0; index < count.get(JAVA_INT, 0); index++) {
          add(index, arena);
        }
      }
      return code;
    }
  }

  private void add(int index, Arena arena) {
    var handle = arena.allocate(ADDRESS);
    int code = library.call(Function.HANDLE, index, handle);
    if (code == NvmlLibrary.NO_PERMISSION) {
      // The count includes GPUs that a cgroup keeps from us, as in a Slurm job: not ours.
      return;
    }
    var uuid = arena.allocate(TEXT);
    if (code == NvmlLibrary.OK) {
      code = library.call(Function.UUID, handle.get(ADDRESS, 0), uuid, TEXT);
    }
    if (code != NvmlLibrary.OK || uuid.getString(0).isBlank()) {
      remarks.add("GPU " + index + " left out: " + NvmlLibrary.words(code));
      return;
    }
    var gpu = handle.get(ADDRESS, 0);
    var near = CpuAffinity.of(library, gpu);
    if (isCutUp(gpu, arena)) {
      addInstances(gpu, near, arena);
    } else {
      add(gpu, new GpuId(uuid.getString(0)), index, near);
    }
  }

  private void add(MemorySegment gpu, GpuId id, int index, Ranges near) {
    var device = new GpuDevice(id, index, name(gpu), memory(gpu), near, false);
    gpus.add(new NvmlGpu(device, gpu, minor(gpu)));
  }

  private boolean isCutUp(MemorySegment gpu, Arena arena) {
    var now = arena.allocate(JAVA_INT);
    return library.call(Function.MIG_MODE, gpu, now, arena.allocate(JAVA_INT)) == NvmlLibrary.OK
        && now.get(JAVA_INT, 0) != 0;
  }

  /** The instances of a GPU with MIG are GPUs; the whole of it nobody can use. */
  private void addInstances(MemorySegment parent, Ranges near, Arena arena) {
    var count = arena.allocate(JAVA_INT);
    if (library.call(Function.MIG_COUNT, parent, count) != NvmlLibrary.OK) {
      return;
    }
    for (int i = 0; i < count.get(JAVA_INT, 0); i++) {
      var handle = arena.allocate(ADDRESS);
      var uuid = arena.allocate(TEXT);
      // Empty places are usual.
      if (library.call(Function.MIG_HANDLE, parent, i, handle) == NvmlLibrary.OK
          && library.call(Function.UUID, handle.get(ADDRESS, 0), uuid, TEXT) == NvmlLibrary.OK) {
        add(handle.get(ADDRESS, 0), new GpuId(uuid.getString(0)), wholeGpus + instances++, near);
      }
    }
  }

  private String name(MemorySegment gpu) {
    try (var arena = Arena.ofConfined()) {
      var text = arena.allocate(TEXT);
      return library.call(Function.NAME, gpu, text, TEXT) == NvmlLibrary.OK
          ? text.getString(0)
          : "NVIDIA GPU";
    }
  }

  private OptionalInt minor(MemorySegment gpu) {
    try (var arena = Arena.ofConfined()) {
      var number = arena.allocate(JAVA_INT);
      return library.call(Function.MINOR_NUMBER, gpu, number) == NvmlLibrary.OK
          ? OptionalInt.of(number.get(JAVA_INT, 0))
          : OptionalInt.empty();
    }
  }

  private long memory(MemorySegment gpu) {
    try (var arena = Arena.ofConfined()) {
      var info = arena.allocate(24, 8);
      return library.call(Function.MEMORY, gpu, info) == NvmlLibrary.OK
          ? info.get(JAVA_LONG, 0)
          : 0;
    }
  }
}
