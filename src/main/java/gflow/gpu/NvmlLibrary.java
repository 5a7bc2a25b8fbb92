package gflow.gpu;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;

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

  private final SymbolLookup symbols;
  private final MethodHandle init;
  private final MethodHandle shutdown;
  private final MethodHandle driverVersion;
  private final MethodHandle count;
  private final MethodHandle handleByIndex;
  private final MethodHandle name;
  private final MethodHandle uuid;
  private final MethodHandle memory;
  private final MethodHandle memoryV2;
  private final MethodHandle utilization;
  private final MethodHandle temperature;
  private final MethodHandle power;
  private final MethodHandle cpuAffinity;
  private final MethodHandle computeProcesses;
  private final MethodHandle mpsProcesses;

  /** Throws IllegalArgumentException if there is no such library. */
  NvmlLibrary(String file) {
    // Never unloaded: a sampler may still be inside a call that a sick GPU holds up.
    symbols =
        file.contains("/")
            ? SymbolLookup.libraryLookup(Path.of(file), Arena.global())
            : SymbolLookup.libraryLookup(file, Arena.global());
    init = find(types(), "nvmlInit_v2", "nvmlInit");
    shutdown = find(types(), "nvmlShutdown");
    driverVersion = find(types(ADDRESS, JAVA_INT), "nvmlSystemGetDriverVersion");
    count = find(types(ADDRESS), "nvmlDeviceGetCount_v2", "nvmlDeviceGetCount");
    handleByIndex =
        find(
            types(JAVA_INT, ADDRESS),
            "nvmlDeviceGetHandleByIndex_v2",
            "nvmlDeviceGetHandleByIndex");
    name = find(types(ADDRESS, ADDRESS, JAVA_INT), "nvmlDeviceGetName");
    uuid = find(types(ADDRESS, ADDRESS, JAVA_INT), "nvmlDeviceGetUUID");
    memory = find(types(ADDRESS, ADDRESS), "nvmlDeviceGetMemoryInfo");
    memoryV2 = find(types(ADDRESS, ADDRESS), "nvmlDeviceGetMemoryInfo_v2");
    utilization = find(types(ADDRESS, ADDRESS), "nvmlDeviceGetUtilizationRates");
    temperature = find(types(ADDRESS, JAVA_INT, ADDRESS), "nvmlDeviceGetTemperature");
    power = find(types(ADDRESS, ADDRESS), "nvmlDeviceGetPowerUsage");
    cpuAffinity = find(types(ADDRESS, JAVA_INT, ADDRESS), "nvmlDeviceGetCpuAffinity");
    // The three forms differ in the size of a record, which ProcessRecords finds out by itself.
    computeProcesses =
        find(
            types(ADDRESS, ADDRESS, ADDRESS),
            "nvmlDeviceGetComputeRunningProcesses_v3",
            "nvmlDeviceGetComputeRunningProcesses_v2",
            "nvmlDeviceGetComputeRunningProcesses");
    mpsProcesses =
        find(
            types(ADDRESS, ADDRESS, ADDRESS),
            "nvmlDeviceGetMPSComputeRunningProcesses_v3",
            "nvmlDeviceGetMPSComputeRunningProcesses_v2",
            "nvmlDeviceGetMPSComputeRunningProcesses");
  }

  private static FunctionDescriptor types(MemoryLayout... arguments) {
    return FunctionDescriptor.of(JAVA_INT, arguments);
  }

  /** The first of these names that the library has: the newest form first. */
  private MethodHandle find(FunctionDescriptor type, String... names) {
    for (String candidate : names) {
      var address = symbols.find(candidate);
      if (address.isPresent()) {
        return Linker.nativeLinker().downcallHandle(address.get(), type);
      }
    }
    var absent = MethodHandles.constant(int.class, FUNCTION_NOT_FOUND);
    return MethodHandles.dropArguments(absent, 0, type.toMethodType().parameterList());
  }

  int init() {
    return code(() -> (int) init.invokeExact());
  }

  int shutdown() {
    return code(() -> (int) shutdown.invokeExact());
  }

  int driverVersion(MemorySegment text) {
    return code(() -> (int) driverVersion.invokeExact(text, (int) text.byteSize()));
  }

  int count(MemorySegment number) {
    return code(() -> (int) count.invokeExact(number));
  }

  int handleByIndex(int index, MemorySegment handle) {
    return code(() -> (int) handleByIndex.invokeExact(index, handle));
  }

  int name(MemorySegment gpu, MemorySegment text) {
    return code(() -> (int) name.invokeExact(gpu, text, (int) text.byteSize()));
  }

  int uuid(MemorySegment gpu, MemorySegment text) {
    return code(() -> (int) uuid.invokeExact(gpu, text, (int) text.byteSize()));
  }

  /** Fills {u64 total, free, used}. */
  int memory(MemorySegment gpu, MemorySegment info) {
    return code(() -> (int) memory.invokeExact(gpu, info));
  }

  /** Fills {u32 version, u64 total, reserved, free, used}; the version must be set before. */
  int memoryV2(MemorySegment gpu, MemorySegment info) {
    return code(() -> (int) memoryV2.invokeExact(gpu, info));
  }

  /** Fills {u32 gpu, memory}, in percent of the time. */
  int utilization(MemorySegment gpu, MemorySegment rates) {
    return code(() -> (int) utilization.invokeExact(gpu, rates));
  }

  int temperature(MemorySegment gpu, MemorySegment celsius) {
    return code(() -> (int) temperature.invokeExact(gpu, 0, celsius));
  }

  int power(MemorySegment gpu, MemorySegment milliwatts) {
    return code(() -> (int) power.invokeExact(gpu, milliwatts));
  }

  int cpuAffinity(MemorySegment gpu, int words, MemorySegment mask) {
    return code(() -> (int) cpuAffinity.invokeExact(gpu, words, mask));
  }

  int computeProcesses(MemorySegment gpu, MemorySegment length, MemorySegment records) {
    return code(() -> (int) computeProcesses.invokeExact(gpu, length, records));
  }

  /** Under MPS the plain list may name only the MPS server; its clients are here. */
  int mpsProcesses(MemorySegment gpu, MemorySegment length, MemorySegment records) {
    return code(() -> (int) mpsProcesses.invokeExact(gpu, length, records));
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

  private interface Call {
    int run() throws Throwable;
  }

  private static int code(Call call) {
    try {
      return call.run();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a native call cannot throw this", e);
    }
  }
}
