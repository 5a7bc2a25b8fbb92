package gflow.job;

import gflow.job.Allocation.GpuGrant;
import gflow.job.Lifecycle.GpuCompany;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** How a program fails by its GPUs, and what people are told of it. */
public final class GpuFailures {
  /** What programs say that found no memory on a GPU, whatever they are written with. */
  private static final List<String> NO_MEMORY =
      List.of(
          "torch.outofmemoryerror",
          "cuda out of memory",
          "cuda_error_out_of_memory",
          "cudaerrormemoryallocation",
          "resource_exhausted");

  /** CuPy has no word of its own: {@code cupy.cuda.memory.OutOfMemoryError}. */
  private static final List<String> CUPY = List.of("cupy", "outofmemoryerror");

  private GpuFailures() {}

  /** Whether a line of a log, in small letters, says that a GPU had no memory left. */
  private static boolean saysNoMemory(String lower) {
    return NO_MEMORY.stream().anyMatch(lower::contains) || CUPY.stream().allMatch(lower::contains);
  }

  /** What is far above the last line is not why it ended. */
  private static final int LAST_LINES = 200;

  /** CUDA's 805: there is a server, and it is not for this user. */
  private static final List<String> MPS_TAKEN =
      List.of(
          "mps client failed to connect", "cudaerrormpsconnectionfailed", "mps_connection_failed");

  /** 806 to 810. */
  private static final List<String> MPS =
      List.of(
          "mps server and the mps client",
          "mps server is not ready",
          "required to create mps client",
          "mps client has been terminated",
          "cudaerrormps",
          "cuda_error_mps");

  /** The cause that the last lines of a log tell, if they tell one. */
  public static Optional<Failure> told(String log) {
    List<String> lines = log.lines().toList();
    return lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()).stream()
        .flatMap(line -> cause(line).stream())
        .reduce((_, last) -> last);
  }

  private static Optional<Failure> cause(String line) {
    String lower = line.toLowerCase(Locale.ROOT);
    if (saysNoMemory(lower)) {
      return Optional.of(Failure.GPU_MEMORY);
    }
    if (MPS_TAKEN.stream().anyMatch(lower::contains)) {
      return Optional.of(Failure.MPS_TAKEN);
    }
    return MPS.stream().anyMatch(lower::contains) ? Optional.of(Failure.MPS) : Optional.empty();
  }

  /** With the cause, where that was a GPU of the attempt or nobody can say. */
  static Outcome explained(Outcome outcome, Attempt attempt, Lifecycle.Rules rules) {
    GpuCompany company = rules.company();
    Optional<GpuFault> fault = company.fault().filter(_ -> outcome.state() == JobState.FAILED);
    if (fault.isPresent() && !fault.get().programs()) {
      return outcome.because(Failure.GPU_FAULT, fault.get().text());
    }
    return switch (outcome.told().orElse(Failure.EXIT_CODE)) {
      case GPU_MEMORY -> outcome.because(Failure.GPU_MEMORY, noMemory(attempt, company.shared()));
      case MPS ->
          outcome.because(
              Failure.MPS,
              "the MPS server of " + where(attempt) + " failed, or another program on it did");
      case MPS_TAKEN ->
          outcome.because(
              Failure.MPS_TAKEN, "another user's MPS server has " + where(attempt) + " (CUDA 805)");
      case UNKNOWN ->
          outcome.because(
              Failure.UNKNOWN,
              "NonZeroExitCode: " + outcome.exit().status() + ", and no log that says why");
      case EXIT_CODE, SIGNAL, TIME_LIMIT, MEMORY, GPU_MEMORY_LIMIT, GPU_FAULT, NODE ->
          fault
              .map(own -> outcome.because(outcome.cause().orElseThrow(), own.text()))
              .orElse(outcome);
    };
  }

  private static String noMemory(Attempt attempt, boolean shared) {
    String where = where(attempt);
    return shared
        ? "out of GPU memory on " + where + ", which it shared"
        : "out of GPU memory, alone on " + where + ": it would not fit the next time either";
  }

  private static String where(Attempt attempt) {
    return "GPU "
        + attempt.allocation().gpus().stream()
            .map(GpuGrant::index)
            .map(String::valueOf)
            .collect(Collectors.joining(","));
  }
}
