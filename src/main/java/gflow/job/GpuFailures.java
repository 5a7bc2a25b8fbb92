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

  /** Whether a line of a log says that a GPU had no memory left. */
  private static boolean saysNoMemory(String line) {
    String lower = line.toLowerCase(Locale.ROOT);
    return NO_MEMORY.stream().anyMatch(lower::contains) || CUPY.stream().allMatch(lower::contains);
  }

  /** What is far above the last line is not why it ended. */
  private static final int LAST_LINES = 200;

  /** Whether the last lines of a log say so. */
  public static boolean say(String log) {
    List<String> lines = log.lines().toList();
    return lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()).stream()
        .anyMatch(GpuFailures::saysNoMemory);
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
    String where =
        "GPU "
            + attempt.allocation().gpus().stream()
                .map(GpuGrant::index)
                .map(String::valueOf)
                .collect(Collectors.joining(","));
    return shared
        ? "out of GPU memory on " + where + ", which it shared"
        : "out of GPU memory, alone on " + where + ": it would not fit the next time either";
  }
}
