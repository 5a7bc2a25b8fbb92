package gflow.daemon.service;

import gflow.config.Config.Fencing;
import gflow.daemon.core.Refusal;
import gflow.job.FenceReason;
import gflow.job.JobSpec;
import gflow.job.RequestedOptions;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Decides which jobs are fenced, once and for good, when they are taken in.
 *
 * @param gpus how many there are that could be hidden
 * @param problem why a fence would not hold here; who asks may have to wait
 */
public record FenceRule(Fencing wanted, int gpus, Supplier<Optional<String>> problem) {
  /** Where nothing is started. */
  public static final FenceRule NONE = new FenceRule(Fencing.OFF, 0, Optional::empty);

  /** Who is fenced, or why nobody is; whoever asks does not wait. */
  public String shown(boolean tried) {
    String who =
        switch (wanted) {
          case AUTO -> "jobs that speak Slurm or have MPS";
          case ON -> "all jobs";
          case OFF -> "jobs that ask for it";
        };
    return tried ? problem.get().map(why -> "none: " + why).orElse(who) : "being tried";
  }

  JobSpec decided(JobSpec spec) throws Refusal {
    Optional<String> asked =
        Optional.ofNullable(spec.asked().options().get(RequestedOptions.FENCE));
    if (asked.isPresent()) {
      if (FenceReason.of(asked).isPresent()) {
        refuseWhatCannotBe(spec);
      }
      return spec;
    }
    Optional<FenceReason> mps = spec.mps().map(_ -> FenceReason.MPS);
    Optional<FenceReason> reason =
        switch (wanted) {
          case OFF -> Optional.empty();
          case AUTO -> spec.speaksSlurm() ? Optional.of(FenceReason.SLURM) : mps;
          case ON -> Optional.of(FenceReason.CONFIG);
        };
    return reason.isPresent() && isPart(spec) && problem.get().isEmpty()
        ? spec.withAsked(spec.asked().withFence(reason.get()))
        : spec;
  }

  private void refuseWhatCannotBe(JobSpec spec) throws Refusal {
    if (spec.request().elastic()) {
      throw new Refusal("--fence stays as it is, and --gpus from-to does not; give one number");
    }
    Optional<String> why = problem.get();
    if (why.isPresent()) {
      throw new Refusal("--fence does not hold here: " + why.get() + "; leave it out");
    }
  }

  /** None of the GPUs is a part of them too. GPUs on loan come and go, and a fence stays. */
  private boolean isPart(JobSpec spec) {
    return !spec.request().elastic()
        && !spec.asked().wholeMachine()
        && spec.request().gpus().count() < gpus;
  }
}
