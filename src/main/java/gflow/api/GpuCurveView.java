package gflow.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt made of its GPUs over time; a sample is of so many seconds, and begins so many
 * after the attempt did.
 */
public record GpuCurveView(long jobId, int attempt, int interval, List<GpuSamples> gpus) {
  public record GpuSamples(int gpu, List<Sample> samples) {}

  /** The use in percent of the time, whoever used it; the job's own memory in bytes, at most. */
  public record Sample(long at, @Nullable Integer use, long memory) {}
}
