package gflow.daemon.upkeep;

import gflow.daemon.core.Core;
import gflow.daemon.core.GpuUseBook.Seen;
import gflow.gpu.GpuReading;
import gflow.job.Allocation.GpuGrant;
import gflow.job.AttemptId;
import gflow.job.GpuId;
import gflow.job.RequestedOptions;
import gflow.job.TaskEvent;
import gflow.plan.Holding;
import gflow.script.value.Sizes;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What jobs do with the GPUs that they have, as a look has shown it. */
record JobsOnGpus(List<GpuReading> readings, Map<GpuId, Map<String, Long>> ours) {
  /** Notes it for each, and ends those that use more than they may and wanted it so. */
  void note(Core core, Instant now) {
    for (Holding holding : core.holdings()) {
      core.home(holding.task().number()).ifPresent(home -> note(core, holding, home.id(), now));
    }
  }

  private void note(Core core, Holding holding, AttemptId id, Instant now) {
    Optional<String> excess =
        holding.gpus().stream().flatMap(grant -> excess(grant, id).stream()).findFirst();
    core.health().use().see(id, new Seen(excess));
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

  private Optional<String> excess(GpuGrant grant, AttemptId id) {
    long uses = ours.getOrDefault(grant.gpu(), Map.of()).getOrDefault(id.toString(), 0L);
    return uses > grant.memory() && grant.memory() > 0
        ? Optional.of(
            "uses %s on GPU %d, promised %s"
                .formatted(Sizes.rounded(uses), grant.index(), Sizes.rounded(grant.memory())))
        : Optional.empty();
  }
}
