package gflow.cli.step;

import gflow.cli.frame.Call;
import gflow.cli.frame.Pauses;
import gflow.cli.frame.Refused;
import gflow.job.JobSpec.Terms;
import gflow.job.RetryOn;
import gflow.job.RetryRules;
import gflow.script.grammar.Given;
import gflow.script.order.RetrySyntax;
import gflow.script.step.StepOptions;
import gflow.script.value.BadInput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * How often the tasks of a step are run again if they fail, all of them and in the same step. One
 * that had its time, or that was told to end, is over.
 */
record StepRetries(int retries) {
  /** Who is interrupted or asked to end does not want to run again: 128 + the signal. */
  private static final Set<Integer> ASKED_TO_END = Set.of(129, 130, 131, 143);

  static final int MOST = 1000;

  interface Tasks {
    /** {@code again}: they add to their files. */
    int run(boolean again) throws BadInput, Refused;
  }

  static StepRetries of(Given given) throws BadInput {
    if (given.has(StepOptions.RETRY_ON) && !given.has(StepOptions.RETRIES)) {
      throw new BadInput("--retry-on says after what; add --retries N to say how often");
    }
    var words = given.read(StepOptions.RETRY_ON, RetrySyntax::words).orElse(Terms.USUAL);
    if (!words.contains(RetryOn.FAIL)) {
      throw new BadInput(
          "a step is tried again only if it fails; write --retry-on fail, or give the job the"
              + " others");
    }
    return new StepRetries(given.number(StepOptions.RETRIES, 0, MOST, 0));
  }

  /** {@code ending} is there once the step has been told to end. */
  int run(Call call, Path ending, Tasks tasks) throws BadInput, Refused {
    int code = tasks.run(false);
    for (int tries = 1; tries <= retries && isFailure(code, ending); tries++) {
      Duration pause = RetryRules.pause(tries);
      call.problem(
          "the step ended with code %d; it runs again in %d s (%d of %d)"
              .formatted(code, pause.toSeconds(), tries, retries));
      call.output().betweenRuns();
      if (!call.output().flush() || !Pauses.sleep(pause) || Files.exists(ending)) {
        return code;
      }
      code = tasks.run(true);
    }
    return code;
  }

  private static boolean isFailure(int code, Path ending) {
    return code != 0 && !ASKED_TO_END.contains(code) && !Files.exists(ending);
  }
}
