package gflow.gpu;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The functions of libnvidia-ml that gflow calls. Each is looked up by itself, because drivers of
 * different ages lack different ones; a missing one answers NVML's own FUNCTION_NOT_FOUND, so that
 * callers see one kind of "not available".
 */
final class NvmlLibrary {
  static final int OK = 0;
  static final int NO_PERMISSION = 4;
  static final int INSUFFICIENT_SIZE = 7;
  static final int TIMEOUT = 10;
  static final int FUNCTION_NOT_FOUND = 13;
  static final int LOST = 15;
  static final int RESET_REQUIRED = 16;
  static final int UNKNOWN = 999;

  /** A function by its names, the newest form first, and what it takes. */
  record Function(List<MemoryLayout> takes, List<String> names) {
    static final Function INIT = new Function(List.of(), List.of("nvmlInit_v2", "nvmlInit"));

    static final Function SHUTDOWN = new Function(List.of(), List.of("nvmlShutdown"));

    /** Text, its length. */
    static final Function DRIVER_VERSION =
        new Function(List.of(ADDRESS, JAVA_INT), List.of("nvmlSystemGetDriverVersion"));

    static final Function COUNT =
        new Function(List.of(ADDRESS), List.of("nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"));

    /** Index, handle. */
    static final Function HANDLE =
        new Function(
            List.of(JAVA_INT, ADDRESS),
            List.of("nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"));

    /** GPU, text, its length. */
    static final Function NAME =
        new Function(List.of(ADDRESS, ADDRESS, JAVA_INT), List.of("nvmlDeviceGetName"));

    /** GPU, text, its length. */
    static final Function UUID =
        new Function(List.of(ADDRESS, ADDRESS, JAVA_INT), List.of("nvmlDeviceGetUUID"));

    /** GPU, the N of /dev/nvidiaN. */
    static final Function MINOR_NUMBER =
        new Function(List.of(ADDRESS, ADDRESS), List.of("nvmlDeviceGetMinorNumber"));

    /** GPU; fills {u64 total, free, used}. */
    static final Function MEMORY =
        new Function(List.of(ADDRESS, ADDRESS), List.of("nvmlDeviceGetMemoryInfo"));

    /**
     * GPU; fills {u32 version, u64 total, reserved, free, used}; the version must be set before.
     */
    static final Function MEMORY_V2 =
        new Function(List.of(ADDRESS, ADDRESS), List.of("nvmlDeviceGetMemoryInfo_v2"));

    /** GPU; fills {u32 gpu, memory}, in percent of the time. */
    static final Function UTILIZATION =
        new Function(List.of(ADDRESS, ADDRESS), List.of("nvmlDeviceGetUtilizationRates"));

    /** GPU, 0, degrees Celsius. */
    static final Function TEMPERATURE =
        new Function(List.of(ADDRESS, JAVA_INT, ADDRESS), List.of("nvmlDeviceGetTemperature"));

    /** GPU, milliwatts. */
    static final Function POWER =
        new Function(List.of(ADDRESS, ADDRESS), List.of("nvmlDeviceGetPowerUsage"));

    /** GPU, how many words, the mask. */
    static final Function CPU_AFFINITY =
        new Function(List.of(ADDRESS, JAVA_INT, ADDRESS), List.of("nvmlDeviceGetCpuAffinity"));

    /**
     * GPU, length, records. The three forms differ in the size of a record, which ProcessRecords
     * finds out by itself.
     */
    static final Function COMPUTE_PROCESSES =
        new Function(
            List.of(ADDRESS, ADDRESS, ADDRESS),
            List.of(
                "nvmlDeviceGetComputeRunningProcesses_v3",
                "nvmlDeviceGetComputeRunningProcesses_v2",
                "nvmlDeviceGetComputeRunningProcesses"));

    /** The same; under MPS the plain list may name only the MPS server, its clients are here. */
    static final Function MPS_PROCESSES =
        new Function(
            List.of(ADDRESS, ADDRESS, ADDRESS),
            List.of(
                "nvmlDeviceGetMPSComputeRunningProcesses_v3",
                "nvmlDeviceGetMPSComputeRunningProcesses_v2",
                "nvmlDeviceGetMPSComputeRunningProcesses"));

    /** Those that draw, as a screen's server. */
    static final Function GRAPHICS_PROCESSES =
        new Function(
            List.of(ADDRESS, ADDRESS, ADDRESS),
            List.of(
                "nvmlDeviceGetGraphicsRunningProcesses_v3",
                "nvmlDeviceGetGraphicsRunningProcesses_v2",
                "nvmlDeviceGetGraphicsRunningProcesses"));

    /** GPU; 0 for anybody, 1 and 3 for one alone, 2 for nobody. */
    static final Function COMPUTE_MODE =
        new Function(List.of(ADDRESS, ADDRESS), List.of("nvmlDeviceGetComputeMode"));

    /** GPU; fills {u32 now}, {u32 after the next start}. */
    static final Function MIG_MODE =
        new Function(List.of(ADDRESS, ADDRESS, ADDRESS), List.of("nvmlDeviceGetMigMode"));

    static final Function MIG_COUNT =
        new Function(List.of(ADDRESS, ADDRESS), List.of("nvmlDeviceGetMaxMigDeviceCount"));

    /** GPU, index, handle. */
    static final Function MIG_HANDLE =
        new Function(
            List.of(ADDRESS, JAVA_INT, ADDRESS), List.of("nvmlDeviceGetMigDeviceHandleByIndex"));

    /** GPU, how many; fills records whose first word says which field. */
    static final Function FIELD_VALUES =
        new Function(List.of(ADDRESS, JAVA_INT, ADDRESS), List.of("nvmlDeviceGetFieldValues"));

    static final Function EVENT_SET = new Function(List.of(ADDRESS), List.of("nvmlEventSetCreate"));

    /** GPU; fills {u64 kinds}. */
    static final Function EVENT_TYPES =
        new Function(List.of(ADDRESS, ADDRESS), List.of("nvmlDeviceGetSupportedEventTypes"));

    /** GPU, kinds, set. */
    static final Function REGISTER_EVENTS =
        new Function(List.of(ADDRESS, JAVA_LONG, ADDRESS), List.of("nvmlDeviceRegisterEvents"));

    /** Set, milliseconds; fills {GPU, u64 kind, u64 number, u32 instances}. */
    static final Function AWAIT_EVENT =
        new Function(
            List.of(ADDRESS, ADDRESS, JAVA_INT),
            List.of("nvmlEventSetWait_v2", "nvmlEventSetWait"));

    private MethodHandle in(SymbolLookup symbols) {
      var type = FunctionDescriptor.of(JAVA_INT, takes.toArray(MemoryLayout[]::new));
      var absent = MethodHandles.constant(int.class, FUNCTION_NOT_FOUND);
      return names.stream()
          .flatMap(name -> symbols.find(name).stream())
          .findFirst()
          .map(address -> Linker.nativeLinker().downcallHandle(address, type))
          .orElse(MethodHandles.dropArguments(absent, 0, type.toMethodType().parameterList()));
    }
  }

  private final SymbolLookup symbols;
  private final Map<Function, MethodHandle> handles = new ConcurrentHashMap<>();

  /** Throws IllegalArgumentException if there is no such library. */
  NvmlLibrary(String file) {
    // Never unloaded: a sampler may still be inside a call that a sick GPU holds up.
    symbols =
        file.contains("/")
            ? SymbolLookup.libraryLookup(Path.of(file), Arena.global())
            : SymbolLookup.libraryLookup(file, Arena.global());
  }

  /** Returns NVML's code. */
  int call(Function function, Object... arguments) {
    try {
      MethodHandle handle = handles.computeIfAbsent(function, f -> f.in(symbols));
      return (int) handle.invokeWithArguments(arguments);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a native call cannot throw this", e);
    }
  }

  /** NVML's return codes in words: our own, because nvmlErrorString is as old as its driver. */
  static String words(int code) {
    return switch (code) {
      case 1 -> "not initialised";
      case NO_PERMISSION -> "no permission";
      case 9 -> "the NVIDIA driver is not loaded";
      case 12, FUNCTION_NOT_FOUND -> "a part of the driver's library is missing";
      case LOST -> "GPU is lost (reboot, or look at the kernel's log)";
      case RESET_REQUIRED -> "GPU needs a reset";
      case 17 -> "blocked by the operating system or a cgroup";
      case 18 -> "driver and library versions differ (reboot after a driver update)";
      case UNKNOWN -> "unknown error";
      default -> "NVML error " + code;
    };
  }
}
