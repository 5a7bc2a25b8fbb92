package gflow.script.order;

import gflow.job.JobSpec;
import gflow.script.value.BadInput;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a job gets that does not say it itself, and the partitions that are defined, by name. */
public record Defaults(
    Optional<Duration> time,
    int priority,
    GpuPlacement placement,
    SortedMap<String, Partition> partitions,
    Site site) {
  public Defaults {
    partitions = Collections.unmodifiableSortedMap(new TreeMap<>(partitions));
  }

  public Defaults(
      Optional<Duration> time,
      int priority,
      GpuPlacement placement,
      SortedMap<String, Partition> partitions) {
    this(time, priority, placement, partitions, Site.USUAL);
  }

  public Defaults(Optional<Duration> time, int priority) {
    this(time, priority, GpuPlacement.AUTO, new TreeMap<>());
  }

  public static final Defaults NONE = new Defaults(Optional.empty(), JobSpec.DEFAULT_PRIORITY);

  /** A job whose time was changed must still fit into its partition. */
  public void checkTime(JobSpec spec) throws BadInput {
    String name = spec.labels().getOrDefault("partition", "");
    Partition partition = partitions.get(name);
    if (partition != null) {
      Placement.within(name, spec.terms().timeLimit(), partition.maxTime());
    }
  }
}
