package gflow.cli.step;

import gflow.cli.frame.Call;
import gflow.cli.frame.Pauses;
import gflow.cli.frame.Refused;
import gflow.job.Failure;
import gflow.job.JobSpec.Terms;
import gflow.job.RetryOn;
import gflow.job.RetryRules;
import gflow.script.grammar.Given;
import gflow.script.order.RetrySyntax;
import gflow.script.step.StepOptions;
import gflow.script.step.StepPlan;
import gflow.script.value.BadInput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * How often the tasks of a step are run again if they fail, all of them and in the same step, and
 * after which ends. One that had its time, or that was told to end, is over.
 */
record StepRetries(int retries, List<RetryOn> on) {
  /** Who is interrupted or asked to end does not want to run again: 128 + the signal. */
  private static final Set<Integer> ASKED_TO_END = Set.of(129, 130, 131, 143);

  static final int MOST = 1000;

  interface Tasks {
    /** {@code again}: they add to their files. */
    StepPlan.Ended run(boolean again) throws BadInput, Refused;
  }

  static StepRetries of(Given given) throws BadInput {
    if (given.has(StepOptions.RETRY_ON) && !given.has(StepOptions.RETRIES)) {
      throw new BadInput("--retry-on says after what; add --retries N to say how often");
    }
    var words = given.read(StepOptions.RETRY_ON, RetrySyntax::words).orElse(Terms.USUAL);
    if (!words.contains(RetryOn.FAIL) && !words.contains(RetryOn.OOM)) {
      throw new BadInput(
          "a step is tried again after fail and oom; write --retry-on fail,oom, or give the job the"
              + " others");
    }
    return new StepRetries(given.number(StepOptions.RETRIES, 0, MOST, 0), words);
  }

  /** {@code ending} is there once the step has been told to end. */
  int run(Call call, Path ending, Tasks tasks) throws BadInput, Refused {
    StepPlan.Ended ended = tasks.run(false);
    for (int tries = 1; tries <= retries && isFailure(ended, ending); tries++) {
      if (!on.contains(cause(ended))) {
        call.problem("the step is not run again: that would be --retry-on " + cause(ended).word());
        return ended.code();
      }
      Duration pause = RetryRules.pause(tries);
      call.problem(
          "the step ended with code %d; it runs again in %d s (%d of %d)"
              .formatted(ended.code(), pause.toSeconds(), tries, retries));
      call.output().betweenRuns();
      if (!call.output().flush() || !Pauses.sleep(pause) || Files.exists(ending)) {
        return ended.code();
      }
      ended = tasks.run(true);
    }
    return ended.code();
  }

  private static RetryOn cause(StepPlan.Ended ended) {
    return (ended.outOfGpuMemory() ? Failure.GPU_MEMORY : Failure.EXIT_CODE).on();
  }

  private static boolean isFailure(StepPlan.Ended ended, Path ending) {
    return ended.code() != 0 && !ASKED_TO_END.contains(ended.code()) && !Files.exists(ending);
  }
}
