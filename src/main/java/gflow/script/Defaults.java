package gflow.script;

import gflow.job.JobSpec;
import java.time.Duration;
import java.util.Optional;

/** What a job gets that does not say it itself. */
public record Defaults(Optional<Duration> time, int priority) {
  public static final Defaults NONE = new Defaults(Optional.empty(), JobSpec.DEFAULT_PRIORITY);
}
