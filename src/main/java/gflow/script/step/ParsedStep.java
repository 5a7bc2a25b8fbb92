package gflow.script.step;

import gflow.job.StepRequest;
import gflow.job.StepRequest.Bind;
import gflow.script.env.StepExports;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** What one call of grun or srun means. */
public record ParsedStep(
    StepRequest request,
    Bind bind,
    OptionalInt cpusPerTask,
    Optional<String> name,
    Optional<Duration> timeLimit,
    Duration stagger,
    StepExports exports,
    List<String> words) {
  public ParsedStep {
    words = List.copyOf(words);
  }
}
