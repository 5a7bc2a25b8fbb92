package gflow.daemon.upkeep;

import gflow.daemon.core.Core;
import gflow.daemon.core.GpuUseBook.OnGpu;
import gflow.daemon.core.GpuUseBook.Seen;
import gflow.daemon.service.LogFiles;
import gflow.gpu.GpuReading;
import gflow.job.Allocation.GpuGrant;
import gflow.job.AttemptId;
import gflow.job.GpuId;
import gflow.job.RequestedOptions;
import gflow.job.TaskEvent;
import gflow.plan.Holding;
import gflow.script.value.GpuLogSyntax;
import gflow.script.value.Sizes;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** What jobs do with the GPUs that they have, as a look has shown it. */
record JobsOnGpus(
    List<GpuReading> readings, Map<GpuId, Map<String, Long>> ours, Map<String, String> withoutMps) {
  /**
   * Notes it for each, keeps it now and then, and ends those that use more than they may and wanted
   * it so.
   */
  void note(Core core, Instant now) {
    for (Holding holding : core.holdings()) {
      core.home(holding.task().number()).ifPresent(home -> note(core, holding, home.id(), now));
    }
    // The little that a full disk still takes is for the ends of jobs.
    if (!core.diskLow()) {
      core.health().use().due(now).forEach(core::note);
    }
  }

  private void note(Core core, Holding holding, AttemptId id, Instant now) {
    Optional<String> excess =
        holding.gpus().stream().flatMap(grant -> excess(grant, id).stream()).findFirst();
    if (!holding.gpus().isEmpty()) {
      Optional<String> wrong = excess.or(() -> withoutMps(core, holding, id));
      core.health().use().see(id, seen(core, holding, id, wrong, now), now);
    }
    boolean enforced =
        core.ledger()
            .job(holding.task().job())
            .filter(job -> job.spec().asked().has(RequestedOptions.GPU_MEMORY_LIMIT))
            .isPresent();
    excess
        .filter(_ -> enforced)
        .map(words -> new TaskEvent.GpuMemoryExceeded(words, now))
        .ifPresent(event -> core.happened(id, event, now));
  }

  /** A program that did not find its server runs all the same, and says nothing. */
  private Optional<String> withoutMps(Core core, Holding holding, AttemptId id) {
    return core.ledger()
        .job(holding.task().job())
        .flatMap(job -> job.spec().mps())
        .flatMap(_ -> Optional.ofNullable(withoutMps.get(id.toString())));
  }

  /** The GPUs of jobs that want it written, and where. */
  record Wanted(Path file, List<GpuLog.Figures> gpus, String job) {}

  List<Wanted> wanted(Core core, LogFiles files) {
    var all = new ArrayList<Wanted>();
    for (Holding holding : core.holdings()) {
      core.ledger()
          .job(holding.task().job())
          .filter(job -> job.spec().asked().has(RequestedOptions.GPU_LOG))
          .flatMap(job -> files.gpuLog(job, holding.task().offset()))
          .ifPresent(
              file ->
                  all.add(new Wanted(file, figures(holding), holding.task().number().toString())));
    }
    return all;
  }

  private List<GpuLog.Figures> figures(Holding holding) {
    return holding.gpus().stream()
        .flatMap(
            grant ->
                readings.stream()
                    .filter(reading -> reading.id().equals(grant.gpu()))
                    .map(reading -> new GpuLog.Figures(grant.index(), reading)))
        .toList();
  }

  /** In how many seconds the GPUs should be looked at again; none if no job has one. */
  static OptionalInt next(Core core, int usual) {
    return core.holdings().stream()
        .filter(holding -> !holding.gpus().isEmpty())
        .mapToInt(holding -> Math.min(usual, every(core, holding)))
        .min();
  }

  private static int every(Core core, Holding holding) {
    return core.ledger()
        .job(holding.task().job())
        .flatMap(
            job -> Optional.ofNullable(job.spec().asked().options().get(RequestedOptions.GPU_LOG)))
        .map(text -> GpuLogSyntax.kept(text).seconds())
        .orElse(Integer.MAX_VALUE);
  }

  private Seen seen(Core core, Holding holding, AttemptId id, Optional<String> wrong, Instant now) {
    List<OnGpu> gpus = holding.gpus().stream().map(grant -> onGpu(grant, id)).toList();
    return new Seen(
        Duration.between(holding.startedAt(), now),
        holding.gpus().stream().anyMatch(grant -> used(grant).containsKey(id.toString())),
        gpus,
        core.steps().hasHad(id),
        !core.steps().running(id).isEmpty(),
        wrong);
  }

  private OnGpu onGpu(GpuGrant grant, AttemptId id) {
    OptionalInt use =
        readings.stream()
            .filter(reading -> reading.id().equals(grant.gpu()))
            .flatMapToInt(reading -> reading.utilization().stream())
            .findFirst();
    return new OnGpu(grant.index(), use, used(grant).getOrDefault(id.toString(), 0L));
  }

  /** How much of the GPU's memory which of our attempts use. */
  private Map<String, Long> used(GpuGrant grant) {
    return ours.getOrDefault(grant.gpu(), Map.of());
  }

  private Optional<String> excess(GpuGrant grant, AttemptId id) {
    long uses = used(grant).getOrDefault(id.toString(), 0L);
    return uses > grant.memory() && grant.memory() > 0
        ? Optional.of(
            "uses %s on GPU %d, promised %s"
                .formatted(Sizes.rounded(uses), grant.index(), Sizes.rounded(grant.memory())))
        : Optional.empty();
  }
}
