package gflow.daemon.service;

import gflow.job.Dependencies;
import gflow.job.GpuFilter;
import gflow.job.GpuRequest;
import gflow.job.JobSpec;
import gflow.job.JobSpec.Tasks;
import gflow.job.JobSpec.Terms;
import gflow.job.Ranges;
import gflow.job.Request;
import gflow.script.order.RetrySyntax;
import gflow.script.value.BadInput;
import gflow.script.value.BeginTimes;
import gflow.script.value.DependencySyntax;
import gflow.script.value.Sizes;
import gflow.script.value.Times;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What {@code gjob update} and {@code redo} make of a spec. Pure. */
public final class SpecEdits {
  /** These can be changed after a job has started. */
  static final List<String> WHILE_RUNNING =
      List.of("time", "priority", "max-concurrent", "retries", "retry-on", "comment", "project");

  private SpecEdits() {}

  public static JobSpec apply(
      JobSpec spec, SortedMap<String, String> options, Instant now, ZoneId zone) throws BadInput {
    JobSpec edited = spec;
    for (Map.Entry<String, String> option : options.entrySet()) {
      edited = apply(edited, option.getKey(), option.getValue(), now, zone);
    }
    return edited;
  }

  private static JobSpec apply(JobSpec spec, String option, String value, Instant now, ZoneId zone)
      throws BadInput {
    Terms t = spec.terms();
    return switch (option) {
      case "time" -> withTime(spec, Times.change(value));
      case "priority" ->
          spec.withTerms(t.withPriority(number(option, value, 0, JobSpec.MAX_PRIORITY)));
      case "retries" -> spec.withTerms(t.withRetries(number(option, value, 0, 1000)));
      case "retry-on" -> spec.withTerms(t.withRetryOn(RetrySyntax.words(value)));
      case "begin" -> withBegin(spec, Optional.of(BeginTimes.parse(value, now, zone)));
      case "dependency" ->
          withDependencies(spec, DependencySyntax.parse(value, t.dependencies().cancelIfNever()));
      case "name" -> spec.withName(value);
      case "comment", "project" -> withLabel(spec, option, value);
      case "gpus" -> withGpus(spec, number(option, value, 0, 1024));
      case "mem" -> withMemory(spec, Sizes.parse(value));
      case "max-concurrent" -> withLimit(spec, number(option, value, 0, Integer.MAX_VALUE));
      default ->
          throw new BadInput(
              option
                  + " cannot be changed; these can: time, priority, retries, retry-on, begin,"
                  + " dependency, name, comment, project, gpus, mem, max-concurrent");
    };
  }

  private static int number(String option, String value, int least, int most) throws BadInput {
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, as for a number that is out of range.
    }
    throw new BadInput(
        "--" + option + " takes a whole number from " + least + " to " + most + ", not " + value);
  }

  private static JobSpec withTime(JobSpec spec, Times.Change change) throws BadInput {
    Optional<Duration> limit =
        switch (change) {
          case Times.Change.To(Optional<Duration> to) -> to;
          case Times.Change.By(Duration by) -> spec.terms().timeLimit().map(l -> l.plus(by));
        };
    if (limit.isPresent() && (limit.get().isNegative() || limit.get().isZero())) {
      throw new BadInput("that would leave no time at all");
    }
    if (limit.isPresent() && limit.get().compareTo(Times.LONGEST) > 0) {
      throw new BadInput("that would be more than 3650 days; write unlimited for no limit");
    }
    return spec.withTerms(spec.terms().withTimeLimit(limit));
  }

  public static JobSpec withBegin(JobSpec spec, Optional<Instant> begin) {
    return spec.withTerms(spec.terms().withBegin(begin));
  }

  public static JobSpec withDependencies(JobSpec spec, Dependencies dependencies) {
    return spec.withTerms(spec.terms().withDependencies(dependencies));
  }

  private static JobSpec withLabel(JobSpec spec, String name, String value) {
    var labels = new TreeMap<>(spec.labels());
    if (value.isEmpty()) {
      labels.remove(name);
    } else {
      labels.put(name, value);
    }
    return spec.withLabels(labels);
  }

  private static JobSpec withGpus(JobSpec spec, int count) {
    Request r = spec.request();
    GpuRequest gpus = count == 0 ? new GpuRequest.None() : new GpuRequest.Whole(count);
    GpuFilter filter = count == 0 ? GpuFilter.ANY : r.filter();
    return spec.withRequest(new Request(r.ntasks(), r.cpusPerTask(), r.memory(), gpus, filter))
        .withAsked(spec.asked().withGpus(count));
  }

  private static JobSpec withMemory(JobSpec spec, long memory) {
    return spec.withRequest(spec.request().withMemory(memory))
        .withAsked(spec.asked().withMegabytes(Math.ceilDiv(memory, 1L << 20)));
  }

  static JobSpec withLimit(JobSpec spec, int limit) {
    return spec.withTasks(
        new Tasks(spec.tasks().array(), spec.tasks().sweep(), limit, spec.tasks().base()));
  }

  /**
   * Only these tasks of an array, under their old indices; a sweep's parameters are kept by them.
   */
  static JobSpec onlyTasks(JobSpec spec, Ranges offsets) {
    if (!spec.isArray()) {
      return spec;
    }
    Ranges array = spec.tasks().array().orElseThrow();
    Ranges kept = Ranges.ofAll(offsets.stream().mapToObj(array::get).toList());
    return spec.withTasks(new Tasks(Optional.of(kept), spec.tasks().sweep(), spec.tasks().limit()));
  }
}
