package gflow.job;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the user asked, in the words of the options: a {@link Request} has only what that came to.
 * The job's environment tells it, steps inherit it, and {@code --exclusive} has its numbers when
 * the machine is known. The options are by their names; memory is in MB. The signal comes before
 * the time is up, and {@code grace} is the time between TERM and KILL.
 */
public record RequestedOptions(
    SortedMap<String, String> options, Optional<EarlySignal> signal, Optional<Duration> grace) {
  public static final String NTASKS = "ntasks";
  public static final String NTASKS_PER_NODE = "ntasks-per-node";
  public static final String NTASKS_PER_GPU = "ntasks-per-gpu";
  public static final String CPUS_PER_TASK = "cpus-per-task";
  public static final String MINCPUS = "mincpus";
  public static final String CPUS_PER_GPU = "cpus-per-gpu";
  public static final String GPUS = "gpus";
  public static final String GRES = "gres";
  public static final String GPUS_PER_NODE = "gpus-per-node";
  public static final String GPUS_PER_TASK = "gpus-per-task";
  public static final String MEM = "mem";
  public static final String MEM_PER_CPU = "mem-per-cpu";
  public static final String MEM_PER_GPU = "mem-per-gpu";
  public static final String EXCLUSIVE = "exclusive";
  public static final String OVERCOMMIT = "overcommit";

  /** It runs so many tasks itself, one GPU each; with a pause, and one that fails ends all. */
  public static final String SPREAD = "spread";

  /** Its program is a group file; how many tasks of its roles share the GPUs, each on one. */
  public static final String GROUP = "group";

  public static final String STAGGER = "stagger";
  public static final String KILL_ON_BAD_EXIT = "kill-on-bad-exit";

  /** Ports that stand in its script or its words, with commas between them. */
  public static final String PORTS = "ports";

  /** Only if it was told to add to its files: its steps do so too. */
  public static final String OPEN_MODE = "open-mode";

  /** {@code --no-requeue}: nothing of it runs twice unless it was asked for. */
  public static final String ONCE = "no-requeue";

  /** With {@link #ENFORCE} it is ended if it uses more of a GPU's memory than was promised. */
  public static final String GPU_MEMORY_LIMIT = "gpu-memory-limit";

  public static final String ENFORCE = "enforce";

  /** Where what its GPUs do is written, and how often: {@code FILE:SECONDS}. */
  public static final String GPU_LOG = "gpu-log";

  /** It came by one of Slurm's names, or has a line {@code #SBATCH}. */
  public static final String SLURM = "slurm";

  /** Whether it is fenced, by the words of {@link FenceReason}. */
  public static final String FENCE = "fence";

  /** Whether its programs share GPUs by MPS, by the words of {@link MpsReason}. */
  public static final String MPS = "mps";

  private static final List<String> GPU_COUNTS =
      List.of(GPUS, GRES, GPUS_PER_NODE, GPUS_PER_TASK, NTASKS_PER_GPU, EXCLUSIVE);
  private static final Pattern TYPE = Pattern.compile("(?:gpu:)?([A-Za-z][\\w.-]*):\\d+");
  private static final List<String> MEMORY = List.of(MEM, MEM_PER_CPU, MEM_PER_GPU);

  public static final RequestedOptions NONE = new RequestedOptions(new TreeMap<>());

  public RequestedOptions {
    options = Collections.unmodifiableSortedMap(new TreeMap<>(options));
  }

  public RequestedOptions(SortedMap<String, String> options) {
    this(options, Optional.empty(), Optional.empty());
  }

  public boolean has(String option) {
    return options.containsKey(option);
  }

  /** All of the machine's GPUs and CPUs; with a word it would be shared with some. */
  public boolean wholeMachine() {
    return "".equals(options.get(EXCLUSIVE));
  }

  /** Those that its program listens on, as far as that can be read. */
  public List<Integer> ports() {
    String text = options.get(PORTS);
    return text == null
        ? List.of()
        : Arrays.stream(text.split(",", -1)).map(Integer::parseInt).toList();
  }

  /** The type of GPU as it was written, if it was. */
  public Optional<String> gpuType() {
    return GPU_COUNTS.stream()
        .map(name -> TYPE.matcher(options.getOrDefault(name, "")))
        .filter(Matcher::matches)
        .map(match -> match.group(1))
        .findFirst();
  }

  /** How many tasks, if anything was said that tells it. */
  public OptionalInt ntasks() {
    return number(NTASKS);
  }

  public OptionalInt number(String option) {
    String text = options.get(option);
    return text == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(text));
  }

  /** In MB, as Slurm counts it. */
  public OptionalLong megabytes(String option) {
    String text = options.get(option);
    return text == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
  }

  /** The GPUs are now so many, however they were asked for before. */
  public RequestedOptions withGpus(int count) {
    return with(GPU_COUNTS, GPUS, count);
  }

  public RequestedOptions withMegabytes(long count) {
    return with(MEMORY, MEM, count);
  }

  /** With what was decided of its fence. */
  public RequestedOptions withFence(FenceReason reason) {
    return with(FENCE, reason.kept());
  }

  /** With what was decided of MPS. */
  public RequestedOptions withMps(MpsReason reason) {
    return with(MPS, reason.kept());
  }

  private RequestedOptions with(String option, String value) {
    var changed = new TreeMap<>(options);
    changed.put(option, value);
    return new RequestedOptions(changed, signal, grace);
  }

  private RequestedOptions with(List<String> instead, String option, long count) {
    var changed = new TreeMap<>(options);
    changed.keySet().removeAll(instead);
    changed.put(option, Long.toString(count));
    return new RequestedOptions(changed, signal, grace);
  }

  /** All of it in words, for people and for other programs. */
  public SortedMap<String, String> words() {
    if (signal.isEmpty() && grace.isEmpty()) {
      return options;
    }
    var words = new TreeMap<>(options);
    signal.ifPresent(early -> words.put("signal", early.text()));
    grace.ifPresent(time -> words.put("grace", Long.toString(time.toSeconds())));
    return words;
  }
}
