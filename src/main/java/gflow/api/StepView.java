package gflow.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A step as users see it; {@code stepId} is {@code 42.0}. */
public record StepView(
    String stepId,
    int attempt,
    String name,
    String state,
    @Nullable Integer exitCode,
    @Nullable Integer signal,
    int ntasks,
    int cpus,
    List<Integer> cpuIds,
    List<Integer> gpuIds,
    @Nullable Long memory,
    String startTime,
    @Nullable String endTime,
    double elapsed,
    @Nullable Double cpuTime,
    @Nullable Long peakMemory) {}
