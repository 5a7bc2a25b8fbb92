package gflow.daemon;

import gflow.job.Allocation;
import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.GpuId;
import gflow.job.GpuPart;
import gflow.job.Grace;
import gflow.job.Job;
import gflow.job.JobSpec;
import gflow.job.JobSpec.Tasks;
import gflow.job.Owner;
import gflow.job.Program;
import gflow.job.Ranges;
import gflow.job.SampleSpec;
import gflow.job.Sweep;
import gflow.job.Where;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Small specs for the tests of the daemon's parts. */
public final class Specs {
  public static final Instant T0 = Instant.parse("2026-03-01T12:00:00Z");
  public static final Owner ANNA = SampleSpec.ANNA;

  private Specs() {}

  /** Two hours on that many GPUs. */
  public static JobSpec gpus(int count) {
    return SampleSpec.of(new Program.Argv(List.of("python", "train.py")))
        .withRequest(SampleSpec.whole(count))
        .withTerms(SampleSpec.terms(Optional.of(Duration.ofHours(2)), 0, false));
  }

  public static JobSpec array(Ranges indices, int limit) {
    return gpus(1).withTasks(new Tasks(Optional.of(indices), Sweep.NONE, limit));
  }

  public static Attempt attempt(int number, int gpu) {
    var grant = new Allocation.GpuGrant(new GpuId("GPU-" + gpu), gpu, GpuPart.WHOLE, 0);
    return new Attempt(
        number, new Allocation(List.of(grant), Ranges.EMPTY, 0), T0, new Where.Here("boot"));
  }

  /** The first attempt of a job's first task. */
  public static AttemptId first(Job job) {
    return new AttemptId(job.task(0), 1);
  }

  public static Grace grace(Duration time) {
    return new Grace(Optional.of(time));
  }
}
