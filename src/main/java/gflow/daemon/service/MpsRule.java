package gflow.daemon.service;

import gflow.config.Config;
import gflow.daemon.core.Refusal;
import gflow.gpu.GpuDevice;
import gflow.gpu.GpuProbe;
import gflow.job.GpuPart;
import gflow.job.GpuRequest;
import gflow.job.JobSpec;
import gflow.job.MpsReason;
import java.util.Optional;

/**
 * Decides whose programs share GPUs by MPS, once and for good, when jobs are taken in.
 *
 * @param installed whether the driver's programs for it are here
 * @param instead why there can be none on GPUs like these
 * @param memory of the largest GPU
 */
public record MpsRule(
    Config.Mps wanted, boolean installed, Optional<MpsReason> instead, long memory) {
  /** So many contexts one GPU takes under MPS, whatever its driver. */
  public static final int MOST = 48;

  /** Where nothing is started. */
  public static final MpsRule NONE = new MpsRule(Config.Mps.OFF, false, Optional.empty(), 0);

  public static MpsRule of(Config.Mps wanted, boolean installed, GpuProbe probe) {
    boolean mig = probe.devices().stream().anyMatch(gpu -> gpu.id().mig());
    Optional<MpsReason> instead =
        probe.simulated()
            ? Optional.of(MpsReason.SIMULATED)
            : Optional.of(MpsReason.MIG).filter(_ -> mig);
    long memory = probe.devices().stream().mapToLong(GpuDevice::memory).max().orElse(0);
    return new MpsRule(wanted, installed, instead, memory);
  }

  private static final String MISSING =
      "--mps: nvidia-cuda-mps-control is not here; it comes with the NVIDIA driver"
          + " (gflow doctor says how); leave --mps out";

  /** Who has it, or why nobody has. */
  public String shown() {
    if (instead.isPresent()) {
      return "none: " + instead.get().said();
    }
    if (!installed) {
      return "none: nvidia-cuda-mps-control is not here";
    }
    return switch (wanted) {
      case AUTO -> "jobs with several programs on a GPU, and those that ask for it";
      case OFF -> "jobs that ask for it";
    };
  }

  JobSpec decided(JobSpec spec) throws Refusal {
    Optional<MpsReason> said = MpsReason.of(spec.asked());
    if (said.isEmpty()) {
      long clients = clients(spec);
      boolean can = installed && instead(spec).isEmpty() && clients >= 2 && clients <= MOST;
      return can && wanted == Config.Mps.AUTO ? with(spec, MpsReason.AUTO) : spec;
    }
    if (said.get() != MpsReason.ASKED) {
      return spec;
    }
    Optional<MpsReason> why = instead(spec);
    if (why.isPresent()) {
      return with(spec, why.get());
    }
    refuseWhatCannotBe(spec);
    return spec;
  }

  private void refuseWhatCannotBe(JobSpec spec) throws Refusal {
    if (!installed) {
      throw new Refusal(MISSING);
    }
    long clients = clients(spec);
    if (clients > MOST) {
      String instead =
          spec.isArray() ? "larger parts (--gpus 1/48)" : "fewer --ntasks or more --gpus";
      throw new Refusal(
          "--mps: %d programs would share a GPU, and MPS takes %d; write %s, or leave --mps out"
              .formatted(clients, MOST, instead));
    }
  }

  private static JobSpec with(JobSpec spec, MpsReason reason) {
    return spec.withAsked(spec.asked().withMps(reason));
  }

  private Optional<MpsReason> instead(JobSpec spec) {
    if (instead.isPresent()) {
      return instead;
    }
    if (spec.request().elastic()) {
      return Optional.of(MpsReason.ELASTIC);
    }
    boolean parts = spec.request().gpus() instanceof GpuRequest.Shared shared && shared.count() > 1;
    return parts ? Optional.of(MpsReason.PARTS) : Optional.empty();
  }

  /** How many programs of this one submission may be on a GPU at a time, as far as it tells. */
  private long clients(JobSpec spec) {
    int tasks = spec.spreadTasks();
    return switch (spec.request().gpus()) {
      case GpuRequest.None() -> 0;
      case GpuRequest.Whole(int count) -> Math.ceilDiv(tasks, count);
      case GpuRequest.Shared shared -> tasks * Math.min(atATime(spec), onOne(shared));
    };
  }

  private static long atATime(JobSpec spec) {
    int limit = spec.tasks().limit();
    int count = spec.tasks().count();
    return limit > 0 ? Math.min(limit, count) : count;
  }

  private long onOne(GpuRequest.Shared shared) {
    long byPart =
        shared.part().isNone() ? Long.MAX_VALUE : GpuPart.WHOLE.units() / shared.part().units();
    long byMemory = shared.memory() == 0 ? Long.MAX_VALUE : Math.max(1, memory / shared.memory());
    return Math.min(byPart, byMemory);
  }
}
