package gflow.plan;

import gflow.job.Dependencies;
import gflow.job.GpuPart;
import gflow.job.Where;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Why a job does not run: Slurm's word, and what is missing where that helps. Some are decided
 * here, some by the daemon, and all are shown the same way.
 */
public sealed interface Reason {
  /** It starts with the next plan. */
  record None() implements Reason {}

  /** Too little is free right now. */
  sealed interface Resources extends Reason {}

  /**
   * Whole GPUs, and which of those that would do are kept from this job by somebody. {@code lent}:
   * how many of them come back from elastic jobs when they are wanted.
   */
  record Gpus(int need, int available, List<Blocked> blocked, int lent) implements Resources {
    public Gpus {
      blocked = List.copyOf(blocked);
    }

    /** Where jobs have all of them there is nothing to add to Slurm's word. */
    private boolean plain() {
      return available == 0 && blocked.isEmpty() && lent == 0;
    }
  }

  /** A part of one GPU; {@code available} is the most that one GPU has left. */
  record GpuShare(GpuPart need, GpuPart available, List<Blocked> blocked) implements Resources {
    public GpuShare {
      blocked = List.copyOf(blocked);
    }
  }

  /**
   * Bytes on each of so many GPUs; {@code available} is the most that one has left, or of several
   * how many have room.
   */
  record GpuMemory(int gpus, long need, long available, List<Blocked> blocked)
      implements Resources {
    public GpuMemory {
      blocked = List.copyOf(blocked);
    }
  }

  /** Promises would leave room on this GPU, but what runs there, or an outsider, uses more. */
  record GpuMemoryInUse(int index, long free, long total, long need, List<Blocked> blocked)
      implements Resources {
    public GpuMemoryInUse {
      blocked = List.copyOf(blocked);
    }
  }

  record Cpus(int need, int available) implements Resources {}

  record Memory(long need, long available) implements Resources {}

  /** Nothing starts while the disk has less than this many bytes free. */
  record Disk(long floor) implements Resources {}

  /** Nothing starts while the daemon cannot write down what it does. */
  record Unwritten(String why) implements Resources {}

  /** The machine could not start it; it is tried again. */
  record NotStarted(String why) implements Resources {}

  /** What it needs is free, but belongs to a job whose turn is before. */
  record Priority() implements Reason {}

  record Dependency(List<Dependencies.Dependency> unmet) implements Reason {
    public Dependency {
      unmet = List.copyOf(unmet);
    }
  }

  record DependencyNeverSatisfied() implements Reason {}

  record BeginTime(Instant at) implements Reason {}

  /** It failed, and waits a while before the attempt with that number. */
  record Resting(int attempt) implements Reason {}

  record JobHeldUser() implements Reason {}

  /** The operator lets nothing start. */
  record Paused(String why) implements Reason {}

  /** Another engine has it, and it waits there. */
  record QueuedThere(Where.There where) implements Reason {}

  /** As many tasks of the array run as its own limit lets. */
  record JobArrayTaskLimit(int limit) implements Reason {}

  record UserTaskLimit(int limit) implements Reason {}

  record UserGpuLimit(int limit) implements Reason {}

  record ProjectTaskLimit(String project, int limit) implements Reason {}

  record ProjectGpuLimit(String project, int limit) implements Reason {}

  /** It can never run on this machine; the words say which option to change. */
  record Infeasible(String words) implements Reason {}

  /** A GPU that would do, and why nobody gets it. */
  record Blocked(int index, Availability by) {
    String text() {
      return switch (by) {
        case Availability.Usable() -> "GPU " + index + " usable";
        case Availability.Exclusive() ->
            "GPU " + index + " is in exclusive mode (root: nvidia-smi -c 0 lets jobs share it)";
        case Availability.NotAllowed() -> "GPU " + index + " not allowed (gctl set-gpus)";
        case Availability.Drained(var why) -> "GPU " + index + " drained: " + why;
        case Availability.Outsider(var who) -> "GPU " + index + " used by " + who;
        case Availability.Locked(var who) -> "GPU " + index + " used by " + who;
        case Availability.Lost(var why) -> "GPU " + index + " lost: " + why;
      };
    }
  }

  /** As shown in gqueue inside the parentheses. */
  default String text() {
    return switch (this) {
      case None() -> "None";
      case Gpus gpus when gpus.plain() -> "Resources";
      case Resources lack -> "Resources: " + missing(lack);
      case Priority() -> "Priority";
      case Dependency(var unmet) -> "Dependency: " + names(unmet);
      case DependencyNeverSatisfied() -> "DependencyNeverSatisfied";
      case BeginTime _ -> "BeginTime";
      case Resting(int attempt) -> "BeginTime: rests before attempt " + attempt;
      case JobHeldUser() -> "JobHeldUser";
      case QueuedThere(Where.There(String engine, String id)) ->
          "Priority: queued on " + engine + " as " + id;
      case Paused(String why) -> "PartitionDown: paused " + why;
      case JobArrayTaskLimit _ -> "JobArrayTaskLimit";
      case UserTaskLimit _ -> "QOSMaxJobsPerUserLimit";
      case UserGpuLimit _ -> "QOSMaxGRESPerUser";
      case ProjectTaskLimit _ -> "AssocGrpJobsLimit";
      case ProjectGpuLimit _ -> "AssocGrpGRES";
      case Infeasible(String words) -> words;
    };
  }

  private static String missing(Resources lack) {
    return switch (lack) {
      case Gpus(int need, int available, var blocked, int lent) ->
          lacks(Amount.count(need, "GPU"), "" + available)
              + (lent == 0 ? "" : ", " + lent + " on loan")
              + words(blocked);
      case GpuShare(var need, var available, var blocked) ->
          lacks(need + " GPU", Amount.part(available)) + words(blocked);
      case GpuMemory(int gpus, long need, long available, var blocked) ->
          lacks(
                  Amount.exactly(need) + " GPU memory" + (gpus > 1 ? " on " + gpus : ""),
                  gpus > 1 ? "" + available : Amount.atLeast(available))
              + words(blocked);
      case GpuMemoryInUse(int index, long free, long total, long need, var blocked) ->
          "GPU %d has %s of %s free, %s asked"
                  .formatted(
                      index, Amount.atLeast(free), Amount.atLeast(total), Amount.atLeast(need))
              + words(blocked);
      case Cpus(int need, int available) -> lacks(Amount.count(need, "CPU"), "" + available);
      case Memory(long need, long available) ->
          lacks(Amount.exactly(need) + " memory", Amount.atLeast(available));
      case Disk(long floor) -> "less than " + Amount.exactly(floor) + " of disk free";
      case Unwritten(String why) -> why;
      case NotStarted(String why) -> "cannot start: " + why;
    };
  }

  private static String names(List<Dependencies.Dependency> unmet) {
    return unmet.stream()
        .map(d -> d.parent().map(Object::toString).orElse("singleton"))
        .distinct()
        .collect(Collectors.joining(","));
  }

  private static String lacks(String what, String available) {
    return "Need " + what + ", only " + available + " available";
  }

  private static String words(List<Blocked> blocked) {
    return blocked.stream().map(b -> "; " + b.text()).collect(Collectors.joining());
  }
}
