package gflow.gpu;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The functions of libnvidia-ml that gflow calls. Each is looked up by itself, because drivers of
 * different ages lack different ones; a missing one answers NVML's own FUNCTION_NOT_FOUND, so that
 * callers see one kind of "not available".
 */
final class NvmlLibrary {
  static final int OK = 0;
  static final int NO_PERMISSION = 4;
  static final int INSUFFICIENT_SIZE = 7;
  static final int FUNCTION_NOT_FOUND = 13;
  static final int LOST = 15;
  static final int RESET_REQUIRED = 16;
  static final int UNKNOWN = 999;

  /** A function by its names, the newest form first, and what it takes. */
  enum Function {
    INIT(types(), "nvmlInit_v2", "nvmlInit"),
    SHUTDOWN(types(), "nvmlShutdown"),
    /** Text, its length. */
    DRIVER_VERSION(types(ADDRESS, JAVA_INT), "nvmlSystemGetDriverVersion"),
    COUNT(types(ADDRESS), "nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"),
    /** Index, handle. */
    HANDLE(types(JAVA_INT, ADDRESS), "nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"),
    /** GPU, text, its length. */
    NAME(types(ADDRESS, ADDRESS, JAVA_INT), "nvmlDeviceGetName"),
    /** GPU, text, its length. */
    UUID(types(ADDRESS, ADDRESS, JAVA_INT), "nvmlDeviceGetUUID"),
    /** GPU; fills {u64 total, free, used}. */
    MEMORY(types(ADDRESS, ADDRESS), "nvmlDeviceGetMemoryInfo"),
    /**
     * GPU; fills {u32 version, u64 total, reserved, free, used}; the version must be set before.
     */
    MEMORY_V2(types(ADDRESS, ADDRESS), "nvmlDeviceGetMemoryInfo_v2"),
    /** GPU; fills {u32 gpu, memory}, in percent of the time. */
    UTILIZATION(types(ADDRESS, ADDRESS), "nvmlDeviceGetUtilizationRates"),
    /** GPU, 0, degrees Celsius. */
    TEMPERATURE(types(ADDRESS, JAVA_INT, ADDRESS), "nvmlDeviceGetTemperature"),
    /** GPU, milliwatts. */
    POWER(types(ADDRESS, ADDRESS), "nvmlDeviceGetPowerUsage"),
    /** GPU, how many words, the mask. */
    CPU_AFFINITY(types(ADDRESS, JAVA_INT, ADDRESS), "nvmlDeviceGetCpuAffinity"),
    /**
     * GPU, length, records. The three forms differ in the size of a record, which ProcessRecords
     * finds out by itself.
     */
    COMPUTE_PROCESSES(
        types(ADDRESS, ADDRESS, ADDRESS),
        "nvmlDeviceGetComputeRunningProcesses_v3",
        "nvmlDeviceGetComputeRunningProcesses_v2",
        "nvmlDeviceGetComputeRunningProcesses"),
    /** The same; under MPS the plain list may name only the MPS server, its clients are here. */
    MPS_PROCESSES(
        types(ADDRESS, ADDRESS, ADDRESS),
        "nvmlDeviceGetMPSComputeRunningProcesses_v3",
        "nvmlDeviceGetMPSComputeRunningProcesses_v2",
        "nvmlDeviceGetMPSComputeRunningProcesses");

    private final FunctionDescriptor type;
    private final List<String> names;

    Function(FunctionDescriptor type, String... names) {
      this.type = type;
      this.names = List.of(names);
    }

    private static FunctionDescriptor types(MemoryLayout... arguments) {
      return FunctionDescriptor.of(JAVA_INT, arguments);
    }

    private MethodHandle in(SymbolLookup symbols) {
      var absent = MethodHandles.constant(int.class, FUNCTION_NOT_FOUND);
      return names.stream()
          .flatMap(name -> symbols.find(name).stream())
          .findFirst()
          .map(address -> Linker.nativeLinker().downcallHandle(address, type))
          .orElse(MethodHandles.dropArguments(absent, 0, type.toMethodType().parameterList()));
    }
  }

  private final Map<Function, MethodHandle> handles = new EnumMap<>(Function.class);

  /** Throws IllegalArgumentException if there is no such library. */
  NvmlLibrary(String file) {
    // Never unloaded: a sampler may still be inside a call that a sick GPU holds up.
    SymbolLookup symbols =
        file.contains("/")
            ? SymbolLookup.libraryLookup(Path.of(file), Arena.global())
            : SymbolLookup.libraryLookup(file, Arena.global());
    for (Function function : Function.values()) {
      handles.put(function, function.in(symbols));
    }
  }

  /** Returns NVML's code. */
  int call(Function function, Object... arguments) {
    try {
      return (int) handles.get(function).invokeWithArguments(arguments);
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
