package gflow.daemon;

import gflow.job.Allocation;
import gflow.job.Attempt;
import gflow.job.BlobId;
import gflow.job.Dependencies;
import gflow.job.GpuFilter;
import gflow.job.GpuId;
import gflow.job.GpuRequest;
import gflow.job.Grace;
import gflow.job.JobSpec;
import gflow.job.JobSpec.Output;
import gflow.job.JobSpec.Scene;
import gflow.job.JobSpec.Tasks;
import gflow.job.JobSpec.Terms;
import gflow.job.Owner;
import gflow.job.Program;
import gflow.job.Ranges;
import gflow.job.Request;
import gflow.job.Sweep;
import gflow.job.Where;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Small specs for the tests of the daemon's parts. */
public final class Specs {
  public static final Instant T0 = Instant.parse("2026-03-01T12:00:00Z");
  public static final Owner ANNA = new Owner(1000, 100, "anna");

  private Specs() {}

  /** Two hours on that many GPUs. */
  public static JobSpec gpus(int count) {
    return new JobSpec(
        ANNA,
        "train",
        new Program.Argv(List.of("python", "train.py")),
        new Request(
            1,
            0,
            0,
            count == 0 ? new GpuRequest.None() : new GpuRequest.Whole(count),
            GpuFilter.ANY),
        new Terms(
            10,
            Optional.of(Duration.ofHours(2)),
            Optional.empty(),
            false,
            Dependencies.NONE,
            0,
            false),
        Tasks.ONE,
        new Scene(
            "/work",
            new BlobId("e".repeat(64)),
            18,
            List.of(),
            Optional.empty(),
            Output.DEFAULT,
            Optional.empty()),
        new TreeMap<>());
  }

  public static JobSpec array(Ranges indices, int limit) {
    return gpus(1).withTasks(new Tasks(Optional.of(indices), Sweep.NONE, limit));
  }

  public static Attempt attempt(int number, int gpu) {
    var grant = new Allocation.GpuGrant(new GpuId("GPU-" + gpu), gpu, 1000, 0);
    return new Attempt(
        number, new Allocation(List.of(grant), Ranges.EMPTY, 0), T0, new Where.Here("boot"));
  }

  public static Grace grace(Duration time) {
    return new Grace(Optional.of(time));
  }
}
