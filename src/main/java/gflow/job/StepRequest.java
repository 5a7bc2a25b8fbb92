package gflow.job;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a step wants of its job. Without {@code exact} it takes all CPUs of the job; with {@code
 * overlap} it shares everything and counts nothing. Overcommitted, all tasks share {@code
 * sharedCpus}.
 */
public record StepRequest(
    int tasks,
    int cpusPerTask,
    boolean exact,
    boolean overlap,
    Memory memory,
    Gpus gpus,
    OptionalInt sharedCpus) {
  /** Of tasks, of CPUs or GPUs for each, and so of what a record can hold at all. */
  public static final int MOST = 65_536;

  public StepRequest(
      int tasks, int cpusPerTask, boolean exact, boolean overlap, Memory memory, Gpus gpus) {
    this(tasks, cpusPerTask, exact, overlap, memory, gpus, OptionalInt.empty());
  }

  public StepRequest {
    requireNonNull(memory, "memory is missing");
    requireNonNull(gpus, "gpus is missing");
    within("tasks", tasks, 1);
    within("CPUs for each task", cpusPerTask, 1);
    within("shared CPUs", sharedCpus.orElse(1), 1);
  }

  private static void within(String what, long number, int least) {
    if (number < least || number > MOST) {
      throw new IllegalArgumentException(
          "bad step: " + what + " are " + least + " to " + MOST + ", was " + number);
    }
  }

  /** CPUs that the tasks need, whatever the step takes beyond them; may be more than there are. */
  public long cpus() {
    return sharedCpus.isPresent() ? sharedCpus.getAsInt() : (long) tasks * cpusPerTask;
  }

  public sealed interface Memory {
    /** All that the job has: what a step gets that says nothing. */
    record OfTheJob() implements Memory {}

    /** {@code --mem=0}: that of the job, shared with the other steps. */
    record Shared() implements Memory {}

    record Bytes(long bytes) implements Memory {
      public Bytes {
        check(bytes);
      }
    }

    record PerCpu(long bytes) implements Memory {
      public PerCpu {
        check(bytes);
      }
    }

    private static void check(long bytes) {
      if (bytes < 0) {
        throw new IllegalArgumentException("bad step: " + bytes + " bytes of memory");
      }
    }
  }

  public sealed interface Gpus {
    /** All that the job has: what a step gets that says nothing. */
    record OfTheJob() implements Gpus {}

    record None() implements Gpus {}

    /** {@code model}: the type of GPU, if one was named. */
    record Count(int count, Optional<String> model) implements Gpus {
      public Count {
        within("GPUs", count, 0);
      }
    }

    record PerTask(int count) implements Gpus {
      public PerTask {
        within("GPUs for each task", count, 0);
      }
    }
  }

  /** Which of the step's GPUs each task sees. */
  public sealed interface Bind {
    /** All of them. */
    record All() implements Bind {}

    /** That many tasks on one GPU, then the next. */
    record Single(int tasks) implements Bind {}

    /** That many GPUs for each task. */
    record PerTask(int gpus) implements Bind {}

    /** The task's own, by places in the step's list; the last ones start again. */
    record Map(List<List<Integer>> places) implements Bind {
      public Map {
        places = List.copyOf(places);
      }
    }

    /** The GPUs of the k-th task, out of those of the step. */
    default <T> List<T> of(int task, List<T> gpus) {
      if (gpus.isEmpty()) {
        return gpus;
      }
      return switch (this) {
        case All() -> gpus;
        case Single(int tasks) -> List.of(gpus.get(task / tasks % gpus.size()));
        case PerTask(int count) -> gpus.subList(first(task, count, gpus), end(task, count, gpus));
        case Map(var places) ->
            places.get(task % places.size()).stream()
                .filter(place -> place < gpus.size())
                .map(gpus::get)
                .toList();
      };
    }

    private static int first(int task, int count, List<?> gpus) {
      return (int) ((long) task * count % gpus.size());
    }

    private static int end(int task, int count, List<?> gpus) {
      return Math.min(gpus.size(), first(task, count, gpus) + count);
    }
  }
}
