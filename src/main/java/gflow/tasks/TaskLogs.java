package gflow.tasks;

import gflow.job.Failure;
import gflow.job.GpuFailures;
import gflow.job.Ranges;
import gflow.process.FilePart;
import gflow.script.step.StepPlan;
import gflow.script.step.StepScript.Streams;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The files of tasks, where one that fails may say why: what it writes into them from now on. What
 * is on a terminal, or in the log of the job, nobody reads for the step.
 */
record TaskLogs(List<List<FilePart>> ofTasks) {
  static TaskLogs of(StepPlan plan) {
    return new TaskLogs(plan.tasks().stream().map(task -> parts(task.streams())).toList());
  }

  private static List<FilePart> parts(Streams streams) {
    return Stream.of(streams.out(), streams.err())
        .flatMap(Optional::stream)
        .distinct()
        .map(Path::of)
        .map(file -> new FilePart(file, streams.append() ? file.toFile().length() : 0))
        .toList();
  }

  /** Which of those that failed found no memory on a GPU, and where they say it. */
  Optional<String> outOfGpuMemory(Set<Integer> failed) {
    List<Integer> those = failed.stream().filter(this::says).toList();
    return those.isEmpty()
        ? Optional.empty()
        : Optional.of(
            (those.size() == 1 ? "task " : "tasks ")
                + Ranges.ofAll(those)
                + ": CUDA out of memory, as "
                + those.stream()
                    .limit(2)
                    .map(task -> ofTasks.get(task).getFirst().file().toString())
                    .distinct()
                    .collect(Collectors.joining(", "))
                + (those.size() > 2 ? ", … say" : " says"));
  }

  private boolean says(int task) {
    return ofTasks.get(task).stream()
        .flatMap(part -> part.end().stream())
        .flatMap(log -> GpuFailures.told(log).stream())
        .anyMatch(Failure.GPU_MEMORY::equals);
  }
}
