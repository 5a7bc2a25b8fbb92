package gflow.plan;

import gflow.job.Dependencies;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Why a job does not run: Slurm's word, and what is missing where that helps. Some are decided
 * here, some by the daemon, and all are shown the same way.
 */
public sealed interface Reason
    permits Infeasible,
        Reason.None,
        Reason.Resources,
        Reason.Priority,
        Reason.Dependency,
        Reason.DependencyNeverSatisfied,
        Reason.BeginTime,
        Reason.JobHeldUser,
        Reason.Paused,
        Reason.JobArrayTaskLimit,
        Reason.UserTaskLimit,
        Reason.UserGpuLimit,
        Reason.ProjectTaskLimit,
        Reason.ProjectGpuLimit {
  /** As shown in gqueue inside the parentheses. */
  String text();

  /** It starts with the next plan. */
  record None() implements Reason {
    @Override
    public String text() {
      return "None";
    }
  }

  /** Too little is free right now. */
  sealed interface Resources extends Reason {
    String missing();

    @Override
    default String text() {
      return "Resources: " + missing();
    }
  }

  /**
   * Whole GPUs, and which of those that would do are kept from this job by somebody. {@code lent}:
   * how many of them come back from elastic jobs when they are wanted.
   */
  record Gpus(int need, int available, List<Blocked> blocked, int lent) implements Resources {
    public Gpus(int need, int available, List<Blocked> blocked) {
      this(need, available, blocked, 0);
    }

    public Gpus {
      blocked = List.copyOf(blocked);
    }

    @Override
    public String missing() {
      String loans = lent == 0 ? "" : ", " + lent + " on loan";
      return lacks(Amount.count(need, "GPU"), Integer.toString(available)) + loans + words(blocked);
    }

    /** Where jobs have all of them there is nothing to add to Slurm's word. */
    @Override
    public String text() {
      return available == 0 && blocked.isEmpty() && lent == 0
          ? "Resources"
          : Resources.super.text();
    }
  }

  /** A part of one GPU, in thousandths; {@code available} is the most that one GPU has left. */
  record GpuShare(int need, int available, List<Blocked> blocked) implements Resources {
    public GpuShare {
      blocked = List.copyOf(blocked);
    }

    @Override
    public String missing() {
      return lacks(Amount.part(need) + " GPU", Amount.part(available)) + words(blocked);
    }
  }

  /** Bytes on one GPU; {@code available} is the most that one GPU has left. */
  record GpuMemory(long need, long available, List<Blocked> blocked) implements Resources {
    public GpuMemory {
      blocked = List.copyOf(blocked);
    }

    @Override
    public String missing() {
      return lacks(Amount.exactly(need) + " GPU memory", Amount.atLeast(available))
          + words(blocked);
    }
  }

  record Cpus(int need, int available) implements Resources {
    @Override
    public String missing() {
      return lacks(Amount.count(need, "CPU"), Integer.toString(available));
    }
  }

  record Memory(long need, long available) implements Resources {
    @Override
    public String missing() {
      return lacks(Amount.exactly(need) + " memory", Amount.atLeast(available));
    }
  }

  /** Nothing starts while the disk has less than this many bytes free. */
  record Disk(long floor) implements Resources {
    @Override
    public String missing() {
      return "less than " + Amount.exactly(floor) + " of disk free";
    }
  }

  /** Nothing starts while the daemon cannot write down what it does. */
  record Unwritten(String why) implements Resources {
    @Override
    public String missing() {
      return why;
    }
  }

  /** The machine could not start it; it is tried again. */
  record NotStarted(String why) implements Resources {
    @Override
    public String missing() {
      return "cannot start: " + why;
    }
  }

  /** What it needs is free, but belongs to a job whose turn is before. */
  record Priority() implements Reason {
    @Override
    public String text() {
      return "Priority";
    }
  }

  record Dependency(List<Dependencies.Dependency> unmet) implements Reason {
    public Dependency {
      unmet = List.copyOf(unmet);
    }

    @Override
    public String text() {
      return unmet.stream()
          .map(d -> d.parent().map(Object::toString).orElse("singleton"))
          .distinct()
          .collect(Collectors.joining(",", "Dependency: ", ""));
    }
  }

  record DependencyNeverSatisfied() implements Reason {
    @Override
    public String text() {
      return "DependencyNeverSatisfied";
    }
  }

  record BeginTime(Instant at) implements Reason {
    @Override
    public String text() {
      return "BeginTime";
    }
  }

  record JobHeldUser() implements Reason {
    @Override
    public String text() {
      return "JobHeldUser";
    }
  }

  /** The operator lets nothing start. */
  record Paused(String why) implements Reason {
    @Override
    public String text() {
      return "PartitionDown: paused " + why;
    }
  }

  /** As many tasks of the array run as its own limit lets. */
  record JobArrayTaskLimit(int limit) implements Reason {
    @Override
    public String text() {
      return "JobArrayTaskLimit";
    }
  }

  record UserTaskLimit(int limit) implements Reason {
    @Override
    public String text() {
      return "QOSMaxJobsPerUserLimit";
    }
  }

  record UserGpuLimit(int limit) implements Reason {
    @Override
    public String text() {
      return "QOSMaxGRESPerUser";
    }
  }

  record ProjectTaskLimit(String project, int limit) implements Reason {
    @Override
    public String text() {
      return "AssocGrpJobsLimit";
    }
  }

  record ProjectGpuLimit(String project, int limit) implements Reason {
    @Override
    public String text() {
      return "AssocGrpGRES";
    }
  }

  /** A GPU that would do, and why nobody gets it. */
  record Blocked(int index, Availability by) {
    String text() {
      return switch (by) {
        case Availability.Usable() -> "GPU " + index + " usable";
        case Availability.NotAllowed() -> "GPU " + index + " not allowed (gctl set-gpus)";
        case Availability.Drained(var why) -> "GPU " + index + " drained: " + why;
        case Availability.Outsider(var who) -> "GPU " + index + " used by " + who;
        case Availability.Lost(var why) -> "GPU " + index + " lost: " + why;
      };
    }
  }

  private static String lacks(String what, String available) {
    return "Need " + what + ", only " + available + " available";
  }

  private static String words(List<Blocked> blocked) {
    return blocked.stream().map(b -> "; " + b.text()).collect(Collectors.joining());
  }
}
