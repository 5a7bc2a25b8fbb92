package gflow.cli.slurm;

import static java.util.Locale.ROOT;

import gflow.api.JobView;
import gflow.cli.frame.Call;
import gflow.cli.frame.JobText;
import gflow.job.JobState;
import gflow.job.Owner;
import gflow.script.value.Times;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A job as Slurm's commands show it: on one node, with that node's name where gflow's own commands
 * show GPUs, and with no more than Slurm's word for the reason. {@code index} is there where one
 * waiting task of an array stands for itself.
 */
public record SlurmJob(JobView view, String host, ZoneId zone, Owner caller, OptionalInt index) {
  /** The version whose commands ours are like. */
  public static final String SLURM = "24.11.5";

  static final String NOTHING = "(null)";
  private static final String NOBODY = "4294967294";
  private static final int LONGEST_LIST = 64;

  static SlurmJob of(JobView view, String host, Call call) {
    return new SlurmJob(view, host, call.zone(), call.invocation().caller(), OptionalInt.empty());
  }

  /** A daemon has jobs of its own user only, and only that user may ask. */
  String uid() {
    return view.user().equals(caller.name()) ? Integer.toString(caller.uid()) : NOBODY;
  }

  String gid() {
    return view.user().equals(caller.name()) ? Integer.toString(caller.gid()) : NOBODY;
  }

  /** One waiting task of an array. */
  SlurmJob at(int task) {
    return new SlurmJob(view, host, zone, caller, OptionalInt.of(task));
  }

  Optional<JobState> state() {
    return JobText.state(view);
  }

  boolean is(JobState state) {
    return state().filter(state::equals).isPresent();
  }

  /** {@code PD}, also of one that is held. */
  String code() {
    return state().map(JobState::code).orElse(view.state());
  }

  /** {@code 42}, {@code 63_7}, {@code 63_[0,5,9-12]}. */
  String id() {
    if (view.arrayJobId() == null) {
      return Long.toString(view.jobId());
    }
    String tasks = tasks();
    boolean one = index.isPresent() || view.arrayTaskId() != null;
    return view.arrayJobId() + "_" + (one ? tasks : "[" + tasks + "]");
  }

  long arrayId() {
    return view.arrayJobId() == null ? view.jobId() : view.arrayJobId();
  }

  /** The index, or those that wait; cut where Slurm cuts. */
  String tasks() {
    if (index.isPresent()) {
      return Integer.toString(index.getAsInt());
    }
    if (view.arrayTaskId() != null) {
      return view.arrayTaskId().toString();
    }
    String all = view.arrayTasks() == null ? "N/A" : view.arrayTasks();
    return all.length() <= LONGEST_LIST ? all : all.substring(0, LONGEST_LIST) + "...";
  }

  /** Slurm's word, without what gflow adds to it. */
  public String reason() {
    return switch (state().orElse(JobState.RUNNING)) {
      case PENDING -> view.reason() == null ? "None" : view.reason().split(":", 2)[0];
      case FAILED -> failure();
      case TIMEOUT -> "TimeLimit";
      case OUT_OF_MEMORY -> "OutOfMemory";
      case NODE_FAIL -> "NodeDown";
      case RUNNING, COMPLETING, COMPLETED, CANCELLED -> "None";
    };
  }

  /** Slurm has no words for what a GPU does to a job. */
  private String failure() {
    return switch (or(view.cause(), "")) {
      case "gpu_memory" -> "OutOfGpuMemory";
      case "gpu_fault" -> "GpuFault";
      default -> view.signal() == null ? "NonZeroExitCode" : "JobLaunchFailure";
    };
  }

  /** What it still waits for, as Slurm marks it; what was fulfilled is gone. */
  String dependency() {
    if (view.dependency() == null || view.startTime() != null) {
      return NOTHING;
    }
    boolean never = or(view.reason(), "").startsWith("DependencyNeverSatisfied");
    return view.dependency().replaceAll("(?=[,?]|$)", never ? "(failed)" : "(unfulfilled)");
  }

  /** Where it runs or ran. */
  String nodes() {
    return switch (state().orElse(JobState.RUNNING)) {
      case PENDING -> "";
      case RUNNING, COMPLETING -> host;
      case COMPLETED, FAILED, CANCELLED, TIMEOUT, OUT_OF_MEMORY, NODE_FAIL ->
          view.startTime() == null ? "" : host;
    };
  }

  String nodesOrReason() {
    return switch (state().orElse(JobState.RUNNING)) {
      case PENDING, FAILED, TIMEOUT, OUT_OF_MEMORY, NODE_FAIL -> "(" + reason() + ")";
      case RUNNING, COMPLETING, COMPLETED, CANCELLED -> nodes();
    };
  }

  int cpus() {
    return Math.max(1, view.cpus());
  }

  /** {@code 0:0}: the code, then the signal. */
  String exit() {
    String exit = JobText.exit(view);
    return exit.equals("-") ? "0:0" : exit;
  }

  /** Without a number it is 100. */
  String nice() {
    return or(view.labels().getOrDefault("nice", "0"), "100");
  }

  String label(String name) {
    return view.labels().getOrDefault(name, NOTHING);
  }

  static String or(@Nullable Object value, String otherwise) {
    return value == null || value.equals("") ? otherwise : value.toString();
  }

  String submitted() {
    return when(view.submitTime(), "Unknown");
  }

  String started(String otherwise) {
    return is(JobState.PENDING)
        ? when(view.beginTime(), otherwise)
        : when(view.startTime(), otherwise);
  }

  /** When it ended, or when its time limit ends it. */
  String ends(String otherwise) {
    if (view.endTime() == null && view.startTime() != null && view.timeLimit() != null) {
      return JobText.time(instant(view.startTime()).plusSeconds(view.timeLimit()), zone);
    }
    return when(view.endTime(), otherwise);
  }

  String when(@Nullable String iso, String otherwise) {
    return iso == null ? otherwise : JobText.time(iso, zone);
  }

  static Instant instant(String iso) {
    return OffsetDateTime.parse(iso).toInstant();
  }

  /** {@code Sun Nov 15 07:39:48 2026}: what stands over a long list. */
  static String date(Instant at, ZoneId zone) {
    return at.atZone(zone).format(DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss yyyy", ROOT));
  }

  /** {@code 00:01:05}, {@code 1-00:00:00}: longer than squeue's. */
  static String clock(@Nullable Double seconds) {
    return Times.format(Duration.ofSeconds(seconds == null ? 0 : (long) (double) seconds));
  }

  String limit(String none) {
    return view.timeLimit() == null ? none : clock((double) view.timeLimit());
  }
}
