package gflow.cli.slurm;

import gflow.job.JobState;
import gflow.script.value.BadInput;
import gflow.script.value.StateNames;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** States as Slurm's filters name them: also those that a job of gflow is never in. */
public final class SlurmStateFilter {
  /** What Slurm's own lists show where nothing else was asked for. */
  static final Set<JobState> ACTIVE =
      EnumSet.of(JobState.PENDING, JobState.RUNNING, JobState.COMPLETING);

  private static final List<String> NEVER_HERE =
      List.of(
          ("boot_fail bf configuring cf deadline dl preempted pr requeued rq requeue_hold rh"
                  + " requeue_fed rf resizing rs resv_del_hold rd revoked rv signaling si"
                  + " special_exit se stage_out so stopped st suspended s")
              .split(" ", -1));

  private SlurmStateFilter() {}

  /** A list with commas; {@code all} is every state. May be empty, and then nothing fits. */
  public static Set<JobState> parse(String text) throws BadInput {
    var states = EnumSet.noneOf(JobState.class);
    for (String word : text.split(",", -1)) {
      String name = word.strip().toLowerCase(Locale.ROOT);
      if (!NEVER_HERE.contains(name)) {
        states.addAll(one(word.strip()));
      }
    }
    return states;
  }

  private static Set<JobState> one(String word) throws BadInput {
    try {
      return StateNames.parse(word).states();
    } catch (BadInput e) {
      throw new BadInput("Invalid job state specified: " + word + "; " + e.line());
    }
  }
}
