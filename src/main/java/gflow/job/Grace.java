package gflow.job;

import java.time.Duration;
import java.util.Optional;

/**
 * How long a job has between TERM and KILL: what it asked for, else what this machine was told,
 * else what its writer knows. A script for Slurm counts on Slurm's 30 seconds to save its work.
 */
public record Grace(Optional<Duration> configured) {
  public static final Duration OURS = Duration.ofSeconds(10);
  public static final Duration SLURMS = Duration.ofSeconds(30);

  public Duration of(JobSpec spec) {
    return spec.asked().grace().or(() -> configured).orElse(spec.speaksSlurm() ? SLURMS : OURS);
  }
}
