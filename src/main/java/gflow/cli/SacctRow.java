package gflow.cli;

import gflow.api.StepView;
import gflow.job.JobState;
import gflow.script.BatchOptions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A line of {@code sacct}: a job, or what ran in it. */
record SacctRow(SlurmJob job, Part part, int callersUid, String caller) {
  private static final String UNKNOWN = "Unknown";

  /** Of what the line is. */
  sealed interface Part {
    record Whole() implements Part {}

    /** The script of the job. */
    record Batch() implements Part {}

    record Step(StepView view) implements Part {}
  }

  boolean whole() {
    return part instanceof Part.Whole;
  }

  /** The job, and if it has run its script and the steps of its last attempt. */
  static List<SacctRow> of(SlurmJob job, List<StepView> steps, int uid, String caller) {
    var rows = new ArrayList<SacctRow>();
    rows.add(new SacctRow(job, new Part.Whole(), uid, caller));
    if (!job.nodes().isEmpty() && !job.view().labels().containsKey(BatchOptions.ALLOCATION)) {
      rows.add(new SacctRow(job, new Part.Batch(), uid, caller));
    }
    steps.stream()
        .filter(step -> step.attempt() == job.view().attempt())
        .forEach(step -> rows.add(new SacctRow(job, new Part.Step(step), uid, caller)));
    return rows;
  }

  String id() {
    return with(job.id());
  }

  String rawId() {
    return with(Long.toString(job.view().jobId()));
  }

  private String with(String id) {
    return switch (part) {
      case Part.Whole() -> id;
      case Part.Batch() -> id + ".batch";
      case Part.Step(var step) -> id + step.stepId().substring(step.stepId().indexOf('.'));
    };
  }

  String name() {
    return switch (part) {
      case Part.Whole() -> job.view().name();
      case Part.Batch() -> "batch";
      case Part.Step(var step) -> step.name();
    };
  }

  /** {@code CANCELLED by 1000} of the job, where it is known who that was. */
  String state() {
    if (part instanceof Part.Step(var step)) {
      return step.state();
    }
    String state = job.view().state();
    boolean cancelled = whole() && job.is(JobState.CANCELLED) && job.view().reason() != null;
    return cancelled && job.view().reason().equals("cancelled by " + caller)
        ? state + " by " + callersUid
        : state;
  }

  String exit() {
    if (part instanceof Part.Step(var step)) {
      return zero(step.exitCode()) + ":" + zero(step.signal());
    }
    return job.exit();
  }

  private static int zero(@Nullable Integer number) {
    return number == null ? 0 : number;
  }

  @Nullable Double elapsed() {
    return part instanceof Part.Step(var step) ? (Double) step.elapsed() : job.view().elapsed();
  }

  String started() {
    if (part instanceof Part.Step(var step)) {
      return job.when(step.startTime(), UNKNOWN);
    }
    return job.nodes().isEmpty() ? UNKNOWN : job.started(UNKNOWN);
  }

  String ended() {
    String end = part instanceof Part.Step(var step) ? step.endTime() : job.view().endTime();
    return job.when(end, UNKNOWN);
  }

  int cpus() {
    return part instanceof Part.Step(var step) ? step.cpus() : job.cpus();
  }

  String ntasks() {
    return switch (part) {
      case Part.Whole() -> "";
      case Part.Batch() -> "1";
      case Part.Step(var step) -> Integer.toString(step.ntasks());
    };
  }

  /** What it had. */
  String tres() {
    if (part instanceof Part.Step(var step)) {
      String gpus = step.gpuIds().isEmpty() ? "" : ",gres/gpu=" + step.gpuIds().size();
      return "cpu=" + step.cpus() + gpus + ",node=1";
    }
    return job.nodes().isEmpty() ? "" : ScontrolJob.tres(job);
  }

  /** What was measured is that of all the job's processes, so the script's line has it. */
  boolean measured() {
    return part instanceof Part.Batch;
  }
}
