package gflow.daemon.service;

import gflow.api.AttemptView;
import gflow.api.JobView;
import gflow.api.MachineView.PartitionView;
import gflow.api.ProblemView;
import gflow.daemon.core.Core;
import gflow.daemon.core.LoanBook;
import gflow.daemon.core.Problem;
import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Exit;
import gflow.job.Failure;
import gflow.job.GpuPart;
import gflow.job.GpuRequest;
import gflow.job.Job;
import gflow.job.JobSpec;
import gflow.job.JobState;
import gflow.job.Outcome;
import gflow.job.Program;
import gflow.job.Ranges;
import gflow.job.Request;
import gflow.job.RetryOn;
import gflow.job.TaskState;
import gflow.job.Where;
import gflow.local.LocalEngine;
import gflow.plan.Reason;
import gflow.script.order.Defaults;
import gflow.script.order.Partition;
import gflow.script.value.Templates;
import gflow.store.History.Ended;
import gflow.store.History.PastAttempt;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Jobs and tasks as users see them; {@code binding}: how jobs are held to the CPUs that they asked
 * for.
 */
public record Views(TimeTexts times, LogFiles logs, LocalEngine.Binding binding) {
  public Views(ZoneId zone, LogFiles logs, LocalEngine.Binding binding) {
    this(new TimeTexts(zone), logs, binding);
  }

  private @Nullable String binding(Request request) {
    return switch (binding) {
      case NONE -> null;
      case AFFINITY -> request.bound() ? "affinity only" : null;
      case CPUSET -> request.bound() ? "cpuset" : null;
    };
  }

  /** The tasks of a job that wait for the same reason, in one row. */
  JobView waiting(Job job, Ranges offsets, String reason, boolean held) {
    var now =
        new Now(
            job,
            offsets.first(),
            JobState.PENDING,
            Optional.of(reason),
            Optional.empty(),
            Optional.empty(),
            held,
            Beside.NOTHING);
    return view(now, tasks(job, offsets), Optional.empty());
  }

  /** The same of another job of one task, with the same spec. */
  JobView ofTwin(JobView row, Job job, String reason) {
    return row.ofTwin(job.id().value(), reason, time(job.submittedAt()), log(job, 0));
  }

  private @Nullable String log(Job job, int offset) {
    return logs.out(job, offset).map(Object::toString).orElse(null);
  }

  /** {@code 0,5,9-12%2}; null of a single task. */
  private static @Nullable String tasks(Job job, Ranges offsets) {
    if (offsets.size() == 1) {
      return null;
    }
    int limit = job.spec().tasks().limit();
    return indices(job, offsets) + (limit > 0 ? "%" + limit : "");
  }

  private static String indices(Job job, Ranges offsets) {
    Ranges array = job.spec().tasks().array().orElseThrow();
    if (offsets.size() == array.size()) {
      return array.toString();
    }
    if (array.parts().size() == 1) {
      int shift = array.first();
      return new Ranges(
              offsets.parts().stream()
                  .map(p -> new Ranges.Range(p.first() + shift, p.last() + shift))
                  .toList())
          .toString();
    }
    return Ranges.ofAll(offsets.stream().mapToObj(array::get).toList()).toString();
  }

  /** What is known of a running task beside its attempt. */
  record Beside(
      List<GpuGrant> lent, Duration lentTime, Optional<String> progress, Optional<String> notice) {
    static final Beside NOTHING = ended(Duration.ZERO);

    static Beside ended(Duration lent) {
      return new Beside(List.of(), lent, Optional.empty(), Optional.empty());
    }

    static Beside of(Core core, AttemptId id, Instant now) {
      LoanBook loans = core.loans();
      return new Beside(
          loans.lent(id),
          loans.time(id, now),
          core.progress().of(id),
          core.health().use().notice(id));
    }
  }

  JobView live(Job job, int offset, TaskState state, Beside beside, Instant now) {
    var row =
        new Now(
            job,
            offset,
            state.shown(),
            queuedThere(state),
            Attempt.of(state).filter(_ -> !(state instanceof TaskState.Queued)),
            Optional.empty(),
            false,
            beside);
    return view(row, null, Optional.of(now));
  }

  private static Optional<String> queuedThere(TaskState state) {
    return state instanceof TaskState.Queued(Attempt attempt)
            && attempt.where() instanceof Where.There there
        ? Optional.of(new Reason.QueuedThere(there).text())
        : Optional.empty();
  }

  /** A task, or those that were cancelled together while they waited: these are one row too. */
  JobView ended(Ended task) {
    var row =
        new Now(
            task.job(),
            task.offsets().first(),
            task.outcome().state(),
            Optional.of(task.outcome().note()).filter(n -> !n.isEmpty()),
            task.attempt(),
            Optional.of(task.outcome()),
            false,
            Beside.ended(task.lent()));
    String tasks = tasks(task.job(), task.offsets());
    return view(row, tasks, Optional.of(task.outcome().endedAt()));
  }

  private record Now(
      Job job,
      int offset,
      JobState state,
      Optional<String> reason,
      Optional<Attempt> attempt,
      Optional<Outcome> outcome,
      boolean held,
      Beside beside) {
    List<Integer> gpuIds() {
      var all = new ArrayList<Integer>();
      attempt.ifPresent(a -> all.addAll(a.allocation().gpuIndices()));
      all.addAll(lentIds());
      return List.copyOf(all);
    }

    List<Integer> lentIds() {
      List<GpuGrant> lent = beside.lent();
      return lent.isEmpty() ? List.of() : lent.stream().map(GpuGrant::index).toList();
    }
  }

  private JobView view(Now row, @Nullable String arrayTasks, Optional<Instant> until) {
    Job job = row.job();
    boolean one = arrayTasks == null;
    JobSpec spec = one ? Templates.task(job.spec(), row.offset()) : job.spec();
    Request request = spec.request();
    Optional<GpuRequest.Shared> shared =
        request.gpus() instanceof GpuRequest.Shared part ? Optional.of(part) : Optional.empty();
    Optional<Allocation> holds = row.attempt().map(Attempt::allocation);
    Optional<Instant> started = row.attempt().map(Attempt::startedAt);
    Optional<Double> elapsed =
        started.flatMap(s -> until.map(u -> seconds(Duration.between(s, u))));
    Optional<Exit> exit = row.outcome().filter(o -> row.attempt().isPresent()).map(Outcome::exit);
    return new JobView(
        one ? job.task(row.offset()).number().value() : job.id().value(),
        spec.isArray() ? job.id().value() : null,
        spec.isArray() && one ? spec.tasks().index(row.offset()) : null,
        arrayTasks,
        spec.name(),
        spec.owner().name(),
        row.state().name(),
        row.reason().orElse(null),
        row.outcome().flatMap(Outcome::cause).map(Failure::word).orElse(null),
        exit.map(Exit::code).orElse(null),
        exit.map(Exit::signal).filter(s -> s > 0).orElse(null),
        request.gpus().count(),
        request.elastic() ? request.mostGpus() : null,
        shared
            .map(GpuRequest.Shared::part)
            .filter(p -> !p.isNone())
            .map(GpuPart::value)
            .orElse(null),
        shared.map(GpuRequest.Shared::memory).filter(m -> m > 0).orElse(null),
        row.gpuIds(),
        row.lentIds(),
        request.cpus(),
        holds.map(a -> a.cpus().stream().boxed().toList()).orElse(List.of()),
        holds.isPresent() ? binding(request) : null,
        request.memory() > 0 ? request.memory() : null,
        spec.asked().ntasks().orElse(request.ntasks()),
        spec.terms().priority(),
        spec.terms().timeLimit().map(Duration::toSeconds).orElse(null),
        time(job.submittedAt()),
        begin(job, row.offset()).map(this::time).orElse(null),
        started.map(this::time).orElse(null),
        row.outcome().map(o -> time(o.endedAt())).orElse(null),
        elapsed.map(e -> Math.max(0, e)).orElse(null),
        row.attempt().map(Attempt::number).orElse(job.nextAttempt(row.offset())),
        spec.terms().retries(),
        spec.terms().retryOn().stream().map(RetryOn::word).toList(),
        dependency(spec),
        spec.project().orElse(null),
        spec.labels().get(JobSpec.COMMENT),
        command(spec),
        spec.scene().folder(),
        log(job, row.offset()),
        row.outcome().flatMap(o -> o.usage().cpuTime()).map(Views::seconds).orElse(null),
        row.outcome().map(o -> boxed(o.usage().peakMemory())).orElse(null),
        holds
            .flatMap(h -> elapsed.map(e -> gpuSeconds(h, e) + seconds(row.beside().lentTime())))
            .orElse(null),
        row.beside().progress().orElse(null),
        row.beside().notice().orElse(null),
        row.held(),
        spec.terms().requeue(),
        spec.asked().words(),
        spec.labels(),
        one ? parameters(spec, row.offset()) : Collections.emptySortedMap(),
        List.of());
  }

  private static SortedMap<String, String> parameters(JobSpec spec, int offset) {
    var parameters = Templates.parameters(spec.tasks(), offset);
    return parameters.isEmpty() ? Collections.emptySortedMap() : new TreeMap<>(parameters);
  }

  /** Not before then: as it was asked for, or because it rests after a failure. */
  private static Optional<Instant> begin(Job job, int offset) {
    return Optional.ofNullable(job.tries().resting().get(offset))
        .or(() -> job.spec().terms().begin());
  }

  /** With all its attempts: those that are over, and the one that the row itself is about. */
  JobView withAttempts(JobView row, List<PastAttempt> past) {
    var all = new ArrayList<AttemptView>();
    past.forEach(p -> all.add(attempt(p)));
    boolean isPast = past.stream().anyMatch(p -> p.attempt().number() == row.attempt());
    if (row.startTime() != null && !isPast) {
      all.add(
          new AttemptView(
              row.attempt(),
              row.state(),
              row.reason(),
              row.cause(),
              row.exitCode(),
              row.signal(),
              row.startTime(),
              row.endTime(),
              row.gpuIds()));
    }
    return row.withAttempts(List.copyOf(all));
  }

  private AttemptView attempt(PastAttempt past) {
    Outcome outcome = past.outcome();
    return new AttemptView(
        past.attempt().number(),
        outcome.state().name(),
        outcome.note().isEmpty() ? null : outcome.note(),
        outcome.cause().map(Failure::word).orElse(null),
        outcome.exit().code(),
        outcome.exit().signal() > 0 ? outcome.exit().signal() : null,
        time(past.attempt().startedAt()),
        time(outcome.endedAt()),
        past.attempt().allocation().gpuIndices());
  }

  static @Nullable Long boxed(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : null;
  }

  static @Nullable Integer boxed(OptionalInt value) {
    return value.isPresent() ? value.getAsInt() : null;
  }

  private static double gpuSeconds(Allocation holds, double elapsed) {
    return holds.gpus().stream().mapToDouble(g -> g.part().value()).sum() * elapsed;
  }

  private static double seconds(Duration d) {
    return d.toMillis() / 1000.0;
  }

  public ProblemView problem(Problem problem) {
    return new ProblemView(
        problem.kind().name().toLowerCase(java.util.Locale.ROOT),
        problem.about(),
        problem.text(),
        problem.remedy(),
        time(problem.since()));
  }

  public String time(Instant at) {
    return times.of(at);
  }

  private static @Nullable String dependency(JobSpec spec) {
    var dependencies = spec.terms().dependencies();
    if (dependencies.isEmpty()) {
      return null;
    }
    return dependencies.list().stream()
        .map(
            d ->
                d.kind().name().toLowerCase(java.util.Locale.ROOT)
                    + d.parent().map(p -> ":" + p).orElse(""))
        .collect(Collectors.joining(dependencies.any() ? "?" : ","));
  }

  /** Those of the configuration, and the one that is always there if none of them is the usual. */
  public static List<PartitionView> partitions(Defaults defaults) {
    var all = new ArrayList<PartitionView>();
    if (defaults.partitions().values().stream().noneMatch(Partition::standard)) {
      all.add(new PartitionView("local", null, whole(defaults.time()), true));
    }
    defaults
        .partitions()
        .forEach(
            (name, partition) ->
                all.add(
                    new PartitionView(
                        name,
                        whole(partition.maxTime()),
                        whole(partition.defaultTime().or(partition::maxTime)),
                        partition.standard())));
    return List.copyOf(all);
  }

  private static @Nullable Long whole(Optional<Duration> time) {
    return time.map(Duration::toSeconds).orElse(null);
  }

  static String command(JobSpec spec) {
    return switch (spec.program()) {
      case Program.Argv(List<String> words) -> String.join(" ", words);
      case Program.Script(var text, List<String> arguments) -> {
        String path = spec.labels().getOrDefault(JobSpec.SCRIPT, spec.name());
        yield arguments.isEmpty() ? path : path + " " + String.join(" ", arguments);
      }
      case Program.ShellLine(String line) -> line;
    };
  }
}
