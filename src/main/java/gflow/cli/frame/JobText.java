package gflow.cli.frame;

import gflow.api.JobView;
import gflow.api.JobView.GpuUseView;
import gflow.job.GpuPart;
import gflow.job.JobState;
import gflow.script.value.Sizes;
import gflow.script.value.Times;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How the parts of a job are written for people: Slurm's forms where it has one. */
public final class JobText {
  /** Where nothing else was asked for. */
  public static final String PARTITION = "local";

  private static final int LONG_LIST = 18;
  private static final Pattern ZEROS = Pattern.compile("^(00:)?0?(?=\\d)");

  private static final Map<String, JobState> STATES =
      Arrays.stream(JobState.values())
          .collect(Collectors.toUnmodifiableMap(JobState::name, state -> state));

  private JobText() {}

  /** {@code lr=0.1 seed=3}. */
  public static String parameters(JobView job) {
    return job.parameters().isEmpty()
        ? "-"
        : job.parameters().entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue())
            .collect(Collectors.joining(" "));
  }

  /** {@code 42}, {@code 63_7}, or {@code 63_[0,5,9-12]} for tasks that wait. */
  public static String id(JobView job) {
    if (job.arrayJobId() == null) {
      return Long.toString(job.jobId());
    }
    String index = index(job);
    return job.arrayJobId() + "_" + (job.arrayTaskId() != null ? index : "[" + index + "]");
  }

  /** The array index, or those that wait; a long list is cut after a whole part. */
  public static String index(JobView job) {
    if (job.arrayTaskId() != null) {
      return job.arrayTaskId().toString();
    }
    String all = job.arrayTasks() == null ? "-" : job.arrayTasks();
    if (all.length() <= LONG_LIST) {
      return all;
    }
    int cut = all.lastIndexOf(',', LONG_LIST);
    return cut < 0 ? all : all.substring(0, cut) + ",…";
  }

  /** As SLURM_JOB_PARTITION says it inside the job. */
  public static String partition(JobView job) {
    return job.labels().getOrDefault("partition", PARTITION);
  }

  public static String code(JobView job) {
    if (job.held() && job.state().equals(JobState.PENDING.name())) {
      return "H";
    }
    return state(job).map(JobState::code).orElse(job.state());
  }

  public static boolean over(JobView job) {
    return state(job).map(JobState::over).orElse(false);
  }

  /** Empty for a state that only a newer daemon knows. */
  public static Optional<JobState> state(JobView job) {
    return Optional.ofNullable(STATES.get(job.state()));
  }

  /** As Slurm: {@code 0:05}, {@code 1:02:03}, {@code 1-02:03:04}. */
  public static String elapsed(@Nullable Double seconds) {
    return seconds == null ? "0:00" : span((long) (double) seconds);
  }

  public static String limit(@Nullable Long seconds) {
    return seconds == null ? "UNLIMITED" : span(seconds);
  }

  public static String left(JobView job) {
    if (job.timeLimit() == null) {
      return "UNLIMITED";
    }
    long used = job.elapsed() == null ? 0 : (long) (double) job.elapsed();
    return span(Math.max(0, job.timeLimit() - used));
  }

  public static String span(long seconds) {
    return ZEROS.matcher(Times.format(Duration.ofSeconds(seconds))).replaceFirst("");
  }

  public static String nodesOrReason(JobView job) {
    if (job.state().equals(JobState.PENDING.name())) {
      return "(" + why(job).orElse("None") + ")";
    }
    if (over(job)) {
      return why(job).map(why -> "(" + why + ")").orElse("-");
    }
    return gpuIds(job) + (job.notice() == null ? "" : " (" + job.notice() + ")");
  }

  /** Why it waits, or why it did not end well; Slurm's words where nobody noted better ones. */
  public static Optional<String> why(JobView job) {
    Optional<String> noted = Optional.ofNullable(job.reason());
    return noted.isPresent() ? noted : state(job).flatMap(s -> end(job, s));
  }

  private static Optional<String> end(JobView job, JobState state) {
    return switch (state) {
      case TIMEOUT -> Optional.of("TimeLimit");
      case OUT_OF_MEMORY -> Optional.of("OutOfMemory");
      case FAILED ->
          Optional.of(
              job.signal() == null
                  ? "NonZeroExitCode: " + number(job.exitCode())
                  : "RaisedSignal: " + job.signal());
      case PENDING, RUNNING, COMPLETING, COMPLETED, CANCELLED, NODE_FAIL -> Optional.empty();
    };
  }

  /** {@code 43% mean, 98% peak}. */
  public static String gpuUse(GpuUseView use) {
    return use.meanUse() == null ? "n/a" : use.meanUse() + "% mean, " + use.peakUse() + "% peak";
  }

  public static String gpuMemory(GpuUseView use) {
    return size(use.meanMemory()) + " mean, " + size(use.peakMemory()) + " peak";
  }

  public static String gpuIds(JobView job) {
    return numbers(job.gpuIds());
  }

  public static String numbers(List<Integer> numbers) {
    return numbers.isEmpty()
        ? "-"
        : numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /** How many GPUs, or what of one: {@code 2}, {@code 0.25}, {@code 8G}, {@code 4×8G}. */
  public static String gpus(JobView job) {
    if (job.gpuShare() == null && job.gpuMemory() == null) {
      return String.valueOf(job.gpus());
    }
    String of = job.gpuShare() == null ? size(job.gpuMemory()) : "" + GpuPart.of(job.gpuShare());
    return job.gpus() > 1 ? job.gpus() + "×" + of : of;
  }

  public static String gres(JobView job) {
    if (job.gpuShare() != null) {
      return "gres/gpu:" + GpuPart.of(job.gpuShare());
    }
    if (job.gpuMemory() != null) {
      String several = job.gpus() > 1 ? "gres/gpu:" + job.gpus() + "," : "";
      return several + "gres/gpumem:" + Sizes.rounded(job.gpuMemory());
    }
    return job.gpus() == 0 ? "N/A" : "gres/gpu:" + job.gpus();
  }

  /** {@code code:signal}, as Slurm writes it; a dash before the end. */
  public static String exit(JobView job) {
    if (job.exitCode() == null && job.signal() == null) {
      return "-";
    }
    return number(job.exitCode()) + ":" + number(job.signal());
  }

  private static int number(@Nullable Integer value) {
    return value == null ? 0 : value;
  }

  /** Bytes as {@code 512M}, {@code 1.5G}; a dash for none. */
  public static String size(@Nullable Long bytes) {
    return bytes == null ? "-" : Sizes.rounded(bytes);
  }

  /** The time on the caller's clock, whole seconds; a dash for none. */
  public static String time(@Nullable String iso, ZoneId zone) {
    return iso == null ? "-" : time(OffsetDateTime.parse(iso).toInstant(), zone);
  }

  public static String time(Instant at, ZoneId zone) {
    return at.atZone(zone)
        .truncatedTo(ChronoUnit.SECONDS)
        .format(DateTimeFormatter.ISO_LOCAL_DATE_TIME);
  }
}
