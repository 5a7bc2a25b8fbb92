package gflow.api;

import gflow.api.ChangesView.Delta;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** A client that draws what is there, from a snapshot and what changed after it: docs/api.md. */
public final class FollowingScreen {
  private final Supplier<Gflow> gflow;
  private final SortedMap<Long, List<JobView>> jobs = new TreeMap<>();
  private final SortedMap<String, StepView> steps = new TreeMap<>();
  private List<ProblemView> problems = List.of();
  private MachineView machine;
  private String epoch = "";
  private long number;
  public int snapshots;

  public FollowingScreen(Supplier<Gflow> gflow) {
    this.gflow = gflow;
  }

  /** Comes into step, wherever it was. */
  public void refresh() {
    for (boolean more = true; more; ) {
      switch (gflow
          .get()
          .ask(new ApiRequest.Changes(epoch, OptionalLong.of(number), Duration.ZERO))) {
        case Answer.Ok<ChangesView>(ChangesView changes) -> {
          changes.deltas().forEach(this::apply);
          more = changes.number() > number;
          number = changes.number();
        }
        case Answer.No<ChangesView>(Answer.Kind kind, String line) -> {
          if (kind != Answer.Kind.GONE) {
            throw new IllegalStateException(line);
          }
          start();
        }
      }
    }
  }

  private void start() {
    var answer = (Answer.Ok<SnapshotView>) gflow.get().ask(new ApiRequest.Snapshot());
    SnapshotView all = answer.value();
    epoch = all.epoch();
    number = all.number();
    jobs.clear();
    for (JobView row : all.jobs()) {
      Long job = row.arrayJobId() == null ? Long.valueOf(row.jobId()) : row.arrayJobId();
      jobs.computeIfAbsent(job, _ -> new ArrayList<>()).add(row);
    }
    steps.clear();
    all.steps().forEach(step -> steps.put(step.stepId(), step));
    machine = all.machine();
    problems = all.problems();
    snapshots++;
  }

  private void apply(Delta delta) {
    switch (delta.kind()) {
      case "job" -> {
        jobs.remove(delta.jobId());
        if (!delta.jobs().isEmpty()) {
          jobs.put(delta.jobId(), delta.jobs());
        }
      }
      case "ended" -> {}
      case "step" -> {
        StepView step = delta.steps().getFirst();
        steps.remove(step.stepId());
        if (step.endTime() == null) {
          steps.put(step.stepId(), step);
        }
      }
      case "machine" -> machine = delta.machine();
      case "problems" -> problems = delta.problems();
      default -> throw new IllegalStateException(delta.kind());
    }
  }

  /** What it shows, without what changes by itself: times that pass, and why jobs wait. */
  public String shown() {
    var text = new StringBuilder();
    jobs.forEach(
        (job, rows) ->
            rows.forEach(
                r ->
                    text.append(r.jobId() + " " + r.arrayTasks() + " " + r.state() + r.held())
                        .append(" " + r.priority() + r.gpuIds() + "\n")));
    steps.forEach((id, step) -> text.append(id + " " + step.state() + "\n"));
    machine.gpus().forEach(gpu -> text.append(gpu.index() + " " + gpu.state() + "\n"));
    problems.forEach(problem -> text.append(problem.kind() + " " + problem.text() + "\n"));
    return text.toString();
  }
}
