package gflow.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One try of a task: {@code attempt} counts from 1, with gaps where a start came to nothing. */
public record AttemptView(
    int attempt,
    String state,
    @Nullable String reason,
    @Nullable String cause,
    @Nullable Integer exitCode,
    @Nullable Integer signal,
    String startTime,
    @Nullable String endTime,
    List<Integer> gpuIds) {}
