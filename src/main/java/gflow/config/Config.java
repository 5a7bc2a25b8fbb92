package gflow.config;

import gflow.job.Ranges;
import gflow.script.order.GpuPlacement;
import gflow.script.order.Partition;
import gflow.script.order.Site;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All settings; sizes in bytes, {@code ports} those for jobs. An absent value is "not limited" or
 * "what the machine has".
 */
public record Config(
    Machine machine,
    Gpu gpu,
    Defaults defaults,
    Limits limits,
    Ranges ports,
    Processes process,
    Log log,
    History history,
    Disk disk,
    Site site,
    SortedMap<String, Partition> partitions) {

  public Config {
    partitions = Collections.unmodifiableSortedMap(new TreeMap<>(partitions));
  }

  /** What the daemon may give out; {@code gpus} as in GFLOW_GPUS, absent = NVML if it is there. */
  public record Machine(Optional<String> gpus, OptionalInt cpus, OptionalLong mem) {}

  /**
   * Outsiders on a GPU: how much of it they must use to count, and who never counts; and where
   * parts of GPUs go; and who sees them.
   */
  public record Gpu(
      long foreignMemory,
      List<String> ignoreUsers,
      List<String> ignoreCommands,
      GpuPlacement placement,
      Trespass trespass,
      Fencing fence,
      Mps mps) {}

  /** What is done about a job's process on a GPU that the job does not have. */
  public enum Trespass {
    REPORT,
    KILL
  }

  /** Which jobs do not see the GPUs of others: those that speak Slurm, all, or none. */
  public enum Fencing {
    AUTO,
    ON,
    OFF
  }

  /** Whether jobs that put several programs on a GPU get MPS without asking for it. */
  public enum Mps {
    AUTO,
    OFF
  }

  public record Defaults(Optional<Duration> time, Optional<Duration> grace, int priority) {}

  public record Limits(
      OptionalInt tasksPerUser, OptionalInt gpusPerUser, int arraySize, int queuedJobs) {}

  /** How jobs are started, and found when they must end. */
  public record Processes(Kill kill, Launcher launcher, Cpuset cpuset) {}

  public enum Kill {
    AUTO,
    CGROUP2,
    CGROUP1,
    NONE
  }

  /** Whether jobs that asked for CPUs are held to them, where a cgroup can. */
  public enum Cpuset {
    AUTO,
    OFF
  }

  public enum Launcher {
    AUTO,
    NATIVE,
    BUILDER
  }

  public record Log(OptionalLong maxSize, Optional<Duration> keep) {}

  public record History(Optional<Duration> keep) {}

  /** Nothing starts while less than this is free. */
  public record Disk(long floor) {}
}
