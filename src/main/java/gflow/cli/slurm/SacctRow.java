package gflow.cli.slurm;

import gflow.api.StepView;
import gflow.job.JobState;
import gflow.script.order.BatchOptions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A line of {@code sacct}: a job, or what ran in it. */
public record SacctRow(SlurmJob job, Part part) {
  private static final String UNKNOWN = "Unknown";

  /** Of what the line is. */
  public sealed interface Part {
    record Whole() implements Part {}

    /** The script of the job, and what its steps used of the CPU. */
    record Batch(double steps) implements Part {}

    record Step(StepView view) implements Part {}
  }

  boolean whole() {
    return part instanceof Part.Whole;
  }

  /** The job, and if it has run its script and the steps of its last attempt. */
  static List<SacctRow> of(SlurmJob job, List<StepView> steps) {
    var rows = new ArrayList<SacctRow>();
    rows.add(new SacctRow(job, new Part.Whole()));
    List<StepView> last = steps.stream().filter(s -> s.attempt() == job.view().attempt()).toList();
    if (!job.nodes().isEmpty() && !job.view().labels().containsKey(BatchOptions.ALLOCATION)) {
      double used = last.stream().mapToDouble(step -> zero(step.cpuTime())).sum();
      rows.add(new SacctRow(job, new Part.Batch(used)));
    }
    last.forEach(step -> rows.add(new SacctRow(job, new Part.Step(step))));
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
      case Part.Batch(double _) -> id + ".batch";
      case Part.Step(var step) -> id + step.stepId().substring(step.stepId().indexOf('.'));
    };
  }

  String name() {
    return switch (part) {
      case Part.Whole() -> job.view().name();
      case Part.Batch(double _) -> "batch";
      case Part.Step(var step) -> step.name();
    };
  }

  /** {@code CANCELLED by 1000} of the job, where it is known who that was. */
  public String state() {
    if (part instanceof Part.Step(var step)) {
      return step.state();
    }
    String state = job.view().state();
    boolean cancelled = whole() && job.is(JobState.CANCELLED) && job.view().reason() != null;
    return cancelled && job.view().reason().equals("cancelled by " + job.caller().name())
        ? state + " by " + job.caller().uid()
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

  private static double zero(@Nullable Double number) {
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
      case Part.Batch(double _) -> "1";
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

  /** The script's line has what is left of the job's. */
  @Nullable Double cpuUsed() {
    @Nullable Double all = job.view().cpuTime();
    return switch (part) {
      case Part.Whole() -> all;
      case Part.Batch(double steps) -> all == null ? null : (Double) Math.max(0, all - steps);
      case Part.Step(var step) -> step.cpuTime();
    };
  }

  /** It was measured of all the job's processes, and the script's line shows it. */
  @Nullable Long peakMemory() {
    return switch (part) {
      case Part.Whole() -> null;
      case Part.Batch(double _) -> job.view().peakMemory();
      case Part.Step(var step) -> step.peakMemory();
    };
  }
}
