package gflow.job;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What a user asked for. Never changes: an edit is a new spec under the same id. The labels are
 * what the user wrote and nothing here has a use for.
 */
public record JobSpec(
    Owner owner,
    String name,
    Program program,
    Request request,
    Terms terms,
    Tasks tasks,
    Scene scene,
    RequestedOptions asked,
    SortedMap<String, String> labels) {

  public static final int DEFAULT_PRIORITY = 10;
  public static final int MAX_PRIORITY = 255;
  private static final Pattern OF_A_TASK = Pattern.compile("%\\d{0,2}t");

  /**
   * When it may start, for how long it may run, how often it is tried, and after which ends: {@code
   * retryOn} is the words of the user, in their order, and what {@code --requeue} adds.
   */
  public record Terms(
      int priority,
      Optional<Duration> timeLimit,
      Optional<Instant> begin,
      boolean hold,
      Dependencies dependencies,
      int retries,
      List<RetryOn> retryOn) {
    public static final List<RetryOn> USUAL = List.of(RetryOn.FAIL);

    public Terms {
      retryOn = List.copyOf(retryOn);
      if (priority < 0 || priority > MAX_PRIORITY) {
        throw new IllegalArgumentException("priority is 0 to 255, was " + priority);
      }
    }

    public Terms withPriority(int other) {
      return new Terms(other, timeLimit, begin, hold, dependencies, retries, retryOn);
    }

    public Terms withTimeLimit(Optional<Duration> other) {
      return new Terms(priority, other, begin, hold, dependencies, retries, retryOn);
    }

    public Terms withBegin(Optional<Instant> other) {
      return new Terms(priority, timeLimit, other, hold, dependencies, retries, retryOn);
    }

    public Terms withDependencies(Dependencies other) {
      return new Terms(priority, timeLimit, begin, hold, other, retries, retryOn);
    }

    public Terms withRetries(int other) {
      return new Terms(priority, timeLimit, begin, hold, dependencies, other, retryOn);
    }

    public Terms withRetryOn(List<RetryOn> other) {
      return new Terms(priority, timeLimit, begin, hold, dependencies, retries, other);
    }

    /** Whether it runs again after the machine went down, or when somebody wants it to. */
    public boolean requeue() {
      return retryOn.contains(RetryOn.NODE);
    }

    /** For a second run: what the first one waited for has been, or does not matter any more. */
    public Terms again() {
      return new Terms(
          priority, timeLimit, Optional.empty(), false, Dependencies.NONE, retries, retryOn);
    }
  }

  /**
   * The tasks: one, or one for each index of an array or combination of a sweep. At most {@code
   * limit} of them run at a time; 0 is no limit. {@code base} as in {@link TaskNumbers}.
   */
  public record Tasks(Optional<Ranges> array, Sweep sweep, int limit, int base) {
    public static final Tasks ONE = new Tasks(Optional.empty(), Sweep.NONE, 0);

    /** New ones: each task of an array has a number of its own. */
    public Tasks(Optional<Ranges> array, Sweep sweep, int limit) {
      this(array, sweep, limit, array.isPresent() ? 1 : 0);
    }

    public int count() {
      return array.map(Ranges::size).orElse(1);
    }

    /** The array index of the k-th task. */
    public int index(int offset) {
      return array.map(a -> a.get(offset)).orElse(0);
    }
  }

  /**
   * The surroundings of the program: folder, environment (NUL-separated, byte for byte), umask, the
   * submitter's limits for the shell to set, and the prefix of its conda environment.
   */
  public record Scene(
      String folder,
      BlobId environment,
      int umask,
      List<String> ulimits,
      Optional<String> conda,
      Output output,
      Optional<Attachment> config) {
    public Scene {
      requireNonNull(folder, "folder");
      requireNonNull(environment, "environment");
      requireNonNull(output, "output");
      ulimits = List.copyOf(ulimits);
    }

    public Scene withOutput(Output other) {
      return new Scene(folder, environment, umask, ulimits, conda, other, config);
    }
  }

  /** File patterns, not yet expanded; absent = the log folder, and errors into the output. */
  public record Output(
      Optional<String> out, Optional<String> err, Optional<String> in, boolean append) {
    public static final Output DEFAULT =
        new Output(Optional.empty(), Optional.empty(), Optional.empty(), true);
  }

  /** A file that travels with the job, under its own name. */
  public record Attachment(String name, BlobId content) {}

  /** The label that groups jobs for limits and statistics. */
  public static final String PROJECT = "project";

  public static final String COMMENT = "comment";

  /** Where the script was found that the job has a copy of. */
  public static final String SCRIPT = "script";

  private static final SortedMap<String, String> NO_LABELS =
      Collections.unmodifiableSortedMap(new TreeMap<>());

  public JobSpec {
    // What another spec has is not copied again.
    boolean ours = labels.getClass() == NO_LABELS.getClass();
    labels =
        labels.isEmpty()
            ? NO_LABELS
            : ours ? labels : Collections.unmodifiableSortedMap(new TreeMap<>(labels));
  }

  /**
   * The same with the parts of another where they are equal: a million jobs that wait mostly share
   * all but what they run, and some of them all of it.
   */
  public JobSpec sharing(JobSpec other) {
    return equals(other)
        ? other
        : new JobSpec(
            shared(owner, other.owner),
            shared(name, other.name),
            shared(program, other.program),
            shared(request, other.request),
            shared(terms, other.terms),
            shared(tasks, other.tasks),
            shared(scene, other.scene),
            shared(asked, other.asked),
            shared(labels, other.labels));
  }

  private static <T> T shared(T mine, T other) {
    return mine.equals(other) ? other : mine;
  }

  /** Its program is a file with roles, of which each is a step. */
  public boolean isGroup() {
    return asked.has(RequestedOptions.GROUP);
  }

  /** Whether its program is run by each of its tasks, and not once. */
  public boolean isSpread() {
    return asked.has(RequestedOptions.SPREAD);
  }

  /**
   * How many programs it puts on its GPUs in turn: by its own option, one for its steps, or roles.
   */
  public int spreadTasks() {
    if (isGroup()) {
      return Math.max(
          1, Integer.parseInt(asked.options().getOrDefault(RequestedOptions.GROUP, "1")));
    }
    boolean spreads = isSpread() || "spread".equals(labels.get("gpu-bind"));
    return spreads ? asked.ntasks().orElse(1) : 1;
  }

  /** Whether the file of that pattern is the whole job's, and not one for each of its tasks. */
  public boolean isOfTheJob(String pattern) {
    return !isSpread() || !OF_A_TASK.matcher(pattern).find();
  }

  /** Whether its output goes to the log that it gets if it says nothing. */
  public boolean writesLog() {
    return scene.output().out().filter(this::isOfTheJob).isEmpty();
  }

  /** It came by one of Slurm's names, or has a line {@code #SBATCH}. */
  public boolean speaksSlurm() {
    return asked.has(RequestedOptions.SLURM);
  }

  /** Why it runs behind a fence, if it does. */
  public Optional<FenceReason> fence() {
    return FenceReason.of(Optional.ofNullable(asked.options().get(RequestedOptions.FENCE)));
  }

  /** Why its programs share its GPUs by MPS, if they do. */
  public Optional<MpsReason> mps() {
    return MpsReason.of(asked).filter(MpsReason::on);
  }

  public boolean isArray() {
    return tasks.array().isPresent();
  }

  public Optional<String> project() {
    return Optional.ofNullable(labels.get(PROJECT));
  }

  public JobSpec withTerms(Terms changed) {
    return new JobSpec(owner, name, program, request, changed, tasks, scene, asked, labels);
  }

  public JobSpec withTasks(Tasks changed) {
    return new JobSpec(owner, name, program, request, terms, changed, scene, asked, labels);
  }

  public JobSpec withRequest(Request changed) {
    return new JobSpec(owner, name, program, changed, terms, tasks, scene, asked, labels);
  }

  public JobSpec withName(String changed) {
    return new JobSpec(owner, changed, program, request, terms, tasks, scene, asked, labels);
  }

  public JobSpec withLabels(SortedMap<String, String> changed) {
    return new JobSpec(owner, name, program, request, terms, tasks, scene, asked, changed);
  }

  public JobSpec withScene(Scene changed) {
    return new JobSpec(owner, name, program, request, terms, tasks, changed, asked, labels);
  }

  public JobSpec withAsked(RequestedOptions changed) {
    return new JobSpec(owner, name, program, request, terms, tasks, scene, changed, labels);
  }

  /** The same job with another program, under another name. */
  public JobSpec running(String other, Program changed) {
    return new JobSpec(owner, other, changed, request, terms, tasks, scene, asked, labels);
  }
}
